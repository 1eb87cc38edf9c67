import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ageOn,
  birthError,
  type Day,
  displayDay,
  isoDay,
  parseDay,
  proposedBirth,
} from '../../../src/account/rules/age.ts'

// Rules: docs/product.md WELCOME-6, WELCOME-10.

const anyDay = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date): Day => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }))

test('both formats of a day parse to the same day', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      expect(parseDay(isoDay(day))).toEqual(day)
      expect(parseDay(displayDay(day))).toEqual(day)
    }),
  )
})

test('the proposed day is exactly old enough, and the day after it is not', () => {
  fc.assert(
    fc.property(anyDay, (today) => {
      const birth = proposedBirth(today)
      expect(birthError(birth, today)).toBeNull()
      const after = new Date(Date.UTC(birth.year, birth.month - 1, birth.day + 2))
      const young = { year: after.getUTCFullYear(), month: after.getUTCMonth() + 1, day: after.getUTCDate() }
      expect(birthError(young, today)).toBe('underage')
    }),
  )
})

test('age counts full years', () => {
  expect(ageOn({ year: 2008, month: 11, day: 21 }, { year: 2026, month: 11, day: 20 })).toBe(17)
  expect(ageOn({ year: 2008, month: 11, day: 20 }, { year: 2026, month: 11, day: 20 })).toBe(18)
  expect(ageOn({ year: 2008, month: 2, day: 29 }, { year: 2026, month: 2, day: 28 })).toBe(17)
  expect(ageOn({ year: 2008, month: 2, day: 29 }, { year: 2026, month: 3, day: 1 })).toBe(18)
})

test.each(['2026-02-29', '31/04/2000', '2000-13-01', '1/1/2000', '', '2000-00-10'])('%j is not a valid day', (text) => {
  expect(parseDay(text)).toBeNull()
})

test('a day in the future and a missing day have different errors', () => {
  const today = { year: 2026, month: 11, day: 20 }
  expect(birthError(null, today)).toBe('missing')
  expect(birthError({ year: 2026, month: 11, day: 21 }, today)).toBe('future')
})
