/** Reads CSV as RFC 4180 defines it. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, quoted, plain = '', end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`No CSV at ${at}`)
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') {
      lines.push(line)
      line = []
    }
  }
  return lines
}
