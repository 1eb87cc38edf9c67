import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { addBusinessDays } from '../../../../server/privacy/rules/business-days.ts'

test.each([
  // A Monday: the weekend in between does not count.
  ['2026-11-23T10:00:00Z', '2026-12-02T10:00:00Z'],
  // A Friday late in the evening.
  ['2026-11-27T23:59:59Z', '2026-12-08T23:59:59Z'],
  // Saturday and Sunday: the first business day is Monday.
  ['2026-11-21T08:30:00Z', '2026-12-01T08:30:00Z'],
  ['2026-11-22T08:30:00Z', '2026-12-01T08:30:00Z'],
  // Over the end of a year and a leap day.
  ['2026-12-31T12:00:00Z', '2027-01-11T12:00:00Z'],
  ['2028-02-25T12:00:00Z', '2028-03-07T12:00:00Z'],
])('seven business days after %s end at %s', (from, to) => {
  expect(new Date(addBusinessDays(Date.parse(from), 7)).toISOString()).toBe(new Date(to).toISOString())
})

const isBusinessDay = (at: number) => ![0, 6].includes(new Date(at).getUTCDay())
const moments = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) })

test('the end is a business day, with exactly that number of business days before it, and a later start never ends earlier', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 60 }), (at, days) => {
      const end = addBusinessDays(at, days)
      const passed = Array.from({ length: (end - at) / DAY_MS }, (_, index) => at + (index + 1) * DAY_MS)
      expect(isBusinessDay(end)).toBe(true)
      expect(passed.filter(isBusinessDay)).toHaveLength(days)
      expect(addBusinessDays(at + DAY_MS, days)).toBeGreaterThanOrEqual(end)
    }),
  )
})
