import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#protocol/durations.ts'
import { pauseAfter } from '#workers/network/retry-pause.ts'

const now = Date.parse('2026-11-21T08:00:00Z')
const chance = { delayMs: 3_000, now, random: () => 0.5 }
const retried = [408, 429, 500, 502, 503, 504]

test('without Retry-After the pause is the delay, at most a tenth shorter or longer', () => {
  const failed = fc.option(fc.record({ status: fc.constantFrom(...retried), retryAfter: fc.constant(null) }))
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(failed, random, fc.nat({ max: 60_000 }), (what, drawn, delayMs) => {
      const pause = pauseAfter(what, { delayMs, now, random: () => drawn })
      expect(pause).toBeGreaterThanOrEqual(delayMs * 0.9)
      expect(pause).toBeLessThanOrEqual(delayMs * 1.1)
    }),
  )
  expect(pauseAfter(null, { ...chance, random: () => 0 })).toBe(2_700)
  expect(pauseAfter(null, chance)).toBe(3_000)
})

test('the pause is Retry-After, and there is no retry if that is over a minute', () => {
  const seconds = fc.nat({ max: 86_400 })
  fc.assert(
    fc.property(fc.constantFrom(...retried), seconds, fc.boolean(), (status, asked, asDate) => {
      const retryAfter = asDate ? new Date(now + asked * 1000).toUTCString() : String(asked)
      expect(pauseAfter({ status, retryAfter }, chance)).toBe(asked > 60 ? null : asked * 1000)
    }),
  )
})

test('a time in the past means at once', () => {
  const retryAfter = new Date(now - HOUR_MS).toUTCString()
  expect(pauseAfter({ status: 503, retryAfter }, chance)).toBe(0)
})

test.each(['', 'soon', '-1', 'Sat, 99 Foo 2026'])("an invalid Retry-After ('%s') is ignored", (retryAfter) => {
  expect(pauseAfter({ status: 503, retryAfter }, chance)).toBe(3_000)
})

test('a response that would not change is not retried', () => {
  const others = fc.integer({ min: 200, max: 599 }).filter((status) => !retried.includes(status))
  fc.assert(
    fc.property(others, (status) => {
      expect(pauseAfter({ status, retryAfter: '1' }, chance)).toBeNull()
    }),
  )
})
