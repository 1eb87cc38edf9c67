/** A period of whole months, yyyy-MM, in UTC; `to` is the last one. */
export type Period = { from: string; to: string }

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`)
}

/** Returns the first moment of the period, and the first one after it, in milliseconds since 1970. */
export function timesOf({ from, to }: Period): { start: number; end: number } {
  const [year = 0, month = 0] = to.split('-').map(Number)
  return { start: startOf(from), end: Date.UTC(year, month, 1) }
}

/** True if the two have a month in common: the difference of their reports would then give away counts that both hide. */
export function overlaps(one: Period, other: Period): boolean {
  return one.from <= other.to && other.from <= one.to
}
