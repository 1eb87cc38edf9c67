import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import { latestDay } from '#protocol/latest-day.ts'
import { fullYears, isAdult, isInFuture } from '../../../../server/accounts/rules/age.ts'

// Rules: docs/product.md WELCOME-10.

const days = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2030-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2060, 0, 1) })

test('age changes on the birthday', () => {
  expect(fullYears('2008-11-21', '2026-11-21')).toBe(18)
  expect(fullYears('2008-11-22', '2026-11-21')).toBe(17)
})

test('a person born on 29 February is a year older on 1 March', () => {
  expect(fullYears('2008-02-29', '2026-02-28')).toBe(17)
  expect(fullYears('2008-02-29', '2026-03-01')).toBe(18)
})

test('the day is that of UTC+14', () => {
  expect(latestDay(Date.parse('2026-11-20T10:00:00Z'))).toBe('2026-11-21')
  expect(isAdult('2008-11-21', Date.parse('2026-11-20T10:00:00Z'))).toBe(true)
  expect(isAdult('2008-11-21', Date.parse('2026-11-20T09:59:59Z'))).toBe(false)
})

test('a person who is 18 in any time zone is an adult', () => {
  fc.assert(
    fc.property(days, moments, fc.integer({ min: -12, max: 14 }), (birth, now, zone) => {
      const localDay = new Date(now + zone * HOUR_MS).toISOString().slice(0, 10)
      if (fullYears(birth, localDay) >= 18) expect(isAdult(birth, now)).toBe(true)
    }),
  )
})

test('no person is an adult more than 26 hours early', () => {
  fc.assert(
    fc.property(days, moments, (birth, now) => {
      const lastDay = new Date(now + 26 * HOUR_MS).toISOString().slice(0, 10)
      if (fullYears(birth, lastDay) < 18) expect(isAdult(birth, now)).toBe(false)
    }),
  )
})

test('a day is in the future only if it has begun in no time zone', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(isInFuture('2026-11-22', now)).toBe(false)
  expect(isInFuture('2026-11-23', now)).toBe(true)
})
