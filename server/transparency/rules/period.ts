/** A period of whole months, yyyy-MM, in UTC; `to` is the last one. */
export type Period = { from: string; to: string }

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`)
}

/** Returns the first moment of the period and the first moment after it, in milliseconds since 1970. */
export function timesOf({ from, to }: Period): { start: number; end: number } {
  const [year = 0, month = 0] = to.split('-').map(Number)
  return { start: startOf(from), end: Date.UTC(year, month, 1) }
}

export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = []
  for (let month = from; month <= to; ) {
    months.push(month)
    month = new Date(timesOf({ from: month, to: month }).end).toISOString().slice(0, 7)
  }
  return months
}
