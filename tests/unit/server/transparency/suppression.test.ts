import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isSmall,
  isWhole,
  SHOWN_MIN,
  type ShownCounts,
  suppress,
} from '../../../../server/transparency/rules/suppression.ts'

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Every table of so many counts, each up to `most`. */
function* tables(length: number, most: number): Generator<number[]> {
  if (length === 0) yield []
  else
    for (const rest of tables(length - 1, most)) for (let count = 0; count <= most; count += 1) yield [count, ...rest]
}

/** A count up to 4, or larger. */
const anyCount = fc.oneof(fc.integer({ min: 0, max: SHOWN_MIN - 1 }), fc.integer({ min: 0, max: 500 }))

/**
 * Who knows the rule can list all tables that would have been published in the same way. None of the hidden counts may have the same
 * value in all of them.
 */
test.each([
  { length: 1, most: 30 },
  { length: 2, most: 30 },
  { length: 3, most: 20 },
  { length: 4, most: 14 },
])('nobody can work out one of $length counts from what is shown', ({ length, most }) => {
  const alike = Map.groupBy(tables(length, most), (counts) => JSON.stringify(suppress(counts)))
  let hidden = 0
  for (const [published, candidates] of alike) {
    const { counts, total } = JSON.parse(published) as ShownCounts
    // A larger total has candidates that are not listed here.
    if ((total ?? 0) > most) continue
    for (const [index, shown] of counts.entries()) {
      if (shown !== null) continue
      hidden += 1
      const values = new Set(candidates.map((candidate) => candidate[index]))
      expect(values.size, `${published} at ${index}`).toBeGreaterThan(2)
    }
  }
  expect(hidden).toBeGreaterThan(0)
})

test('what is shown is true, no small count is, and no rest of a subtraction is one', () => {
  fc.assert(
    fc.property(fc.array(anyCount, { minLength: 1, maxLength: 12 }), (counts) => {
      const shown = suppress(counts)
      const hidden = counts.filter((_, index) => shown.counts[index] === null)
      for (const [index, value] of shown.counts.entries()) {
        if (value === null) continue
        expect(value).toBe(counts[index])
        expect(isSmall(value)).toBe(false)
      }
      if (shown.total === null) expect(hidden.length).toBeGreaterThan(0)
      else {
        expect(shown.total).toBe(sumOf(counts))
        const rest = shown.total - sumOf(shown.counts.map((value) => value ?? 0))
        expect(rest).toBe(sumOf(hidden))
        if (hidden.length > 0) expect([hidden.length > 1, rest >= 2 * SHOWN_MIN]).toEqual([true, true])
      }
      expect(isWhole(shown)).toBe(!counts.some(isSmall))
    }),
  )
})

test.each([
  [[0, 0], [0, 0], 0],
  [[7, 0, 12], [7, 0, 12], 19],
  [[3, 0], [null, 0], null],
  [[3, 40, 7], [null, null, 7], 50],
  [[1, 1, 5, 40], [null, null, null, null], 47],
  [[4, 5], [null, null], null],
])('%j is shown as %j, in all %j', (counts, shown, total) => {
  expect(suppress(counts)).toEqual({ counts: shown, total })
})
