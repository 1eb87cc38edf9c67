/** Small counts are not published: the people whom a count of 1 to 4 is about could recognise themselves and each other. */

/** Least count, besides 0, that is shown. */
export const SHOWN_MIN = 5
/** Least sum of hidden counts with which their total is shown. A smaller sum would say too much about two counts from 1 to 4. */
const HIDDEN_SUM_MIN = 2 * SHOWN_MIN

export function isSmall(count: number): boolean {
  return count > 0 && count < SHOWN_MIN
}

export type ShownCounts = { counts: readonly (number | null)[]; total: number | null }

/**
 * Hides the small counts of a table. The total less the shown counts would reveal a single hidden count. So further
 * counts are hidden until the sum of the hidden counts is at least HIDDEN_SUM_MIN; if the table has too few counts, the
 * total is hidden too. Further counts are taken in the order of the table, since an order by size would say something
 * about them. A count of 0 is shown. The tables of a report share no counts.
 */
export function suppress(counts: readonly number[]): ShownCounts {
  const hidden = new Set([...counts.keys()].filter((index) => isSmall(counts[index] ?? 0)))
  const sum = (indexes: Iterable<number>) => [...indexes].reduce((all, index) => all + (counts[index] ?? 0), 0)
  const total = sum(counts.keys())
  if (hidden.size === 0) return { counts, total }
  // One small count never reaches the sum, so at least two counts are hidden.
  const isEnough = () => sum(hidden) >= HIDDEN_SUM_MIN
  for (const [index, count] of counts.entries()) if (count >= SHOWN_MIN && !isEnough()) hidden.add(index)
  const shown = counts.map((count, index) => (hidden.has(index) ? null : count))
  return { counts: shown, total: isEnough() ? total : null }
}

export function isWhole({ counts, total }: ShownCounts): boolean {
  return total !== null && !counts.includes(null)
}
