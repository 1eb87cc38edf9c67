/** Converts a report to one HTML file that can be read and printed without the product. */

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Turns a name such as `fileDetails` into the words `File details`. */
function headingOf(name: string): string {
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function isPicture(value: object): value is { mimeType: string; base64: string } {
  return 'mimeType' in value && 'base64' in value
}

function htmlOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'object') return escaped(String(value))
  if (Array.isArray(value))
    return value.length === 0 ? '–' : `<ol>${value.map((one) => `<li>${htmlOf(one)}`).join('')}</ol>`
  if (isPicture(value)) return `<img alt="" src="data:${escaped(value.mimeType)};base64,${escaped(value.base64)}">`
  const entries = Object.entries(value).map(([name, one]) => `<dt>${escaped(headingOf(name))}<dd>${htmlOf(one)}`)
  return `<dl>${entries.join('')}</dl>`
}

const STYLE =
  'body{font:11pt/1.4 sans-serif;max-width:48rem;margin:2rem auto}dt{font-weight:bold}dd{margin:0 0 .4rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}img{max-width:20rem}'

/** Returns a complete HTML document. The texts of the report are escaped, so that they appear as they were written. */
export function printedReport(title: string, report: Readonly<Record<string, unknown>>): string {
  const name = escaped(title)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><style>${STYLE}</style><h1>${name}</h1>${htmlOf(report)}</html>`
}
