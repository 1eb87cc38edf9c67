import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasCollapsed, noRecovery, type Recovery, stepRecovery } from '../../../../src/call/rules/recovery.ts'

/** The state after each of these estimates in kbit/s, one a second. */
function follow(estimates: readonly (number | null)[], isCalm = true, from = noRecovery): Recovery[] {
  let state = from
  return estimates.map((estimate) => {
    state = stepRecovery(state, estimate, isCalm)
    return state
  })
}

const seconds = (count: number, kbps: number) => Array.from({ length: count }, () => kbps)
const last = (states: readonly Recovery[]) => states.at(-1) ?? noRecovery

describe('the network is measured anew', () => {
  test('never while it carries what it carried', () => {
    expect(last(follow([...seconds(60, 3_000), ...seconds(60, 2_000)])).asked).toBe(0)
    expect(last(follow(seconds(120, 100))).asked).toBe(0)
    expect(last(follow(Array.from({ length: 60 }, () => null))).asked).toBe(0)
  })

  test('after it fell, every few seconds, but not while it has a queue or loses packets', () => {
    const fast = last(follow(seconds(30, 3_000)))
    expect(last(follow(seconds(10, 200), false, fast)).asked).toBe(0)
    const asked = follow(seconds(30, 200), true, fast).map((state) => state.asked)
    expect(asked[0]).toBe(1)
    expect(asked.at(-1)).toBe(5)
  })

  test('until that was in vain ten times: then the network is another one', () => {
    const fallen = follow([...seconds(30, 3_000), ...seconds(600, 200)])
    expect(last(fallen).asked).toBe(10)
    expect(last(follow(seconds(60, 150), true, last(fallen))).asked).toBe(10)
    expect(last(follow([...seconds(60, 3_000), ...seconds(30, 200)], true, last(fallen))).asked).toBeGreaterThan(10)
  })

  test('and found fast again once, when a measurement was asked for', () => {
    const fast = last(follow(seconds(30, 3_000)))
    expect(last(follow([200, ...seconds(60, 2_500)], true, fast))).toMatchObject({ found: 1, inVain: 0 })
    expect(last(follow([...seconds(20, 200), ...seconds(60, 2_500)], true, fast)).found).toBe(1)
    expect(last(follow([200, ...seconds(60, 2_500)], false, fast)).found).toBe(0)
  })
})

test('for any estimates two measurements are at least six readings apart', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 5_000 })), { maxLength: 200, size: 'max' }), (all) => {
      const times = follow(all).flatMap((state, index, states) =>
        state.asked > (states[index - 1]?.asked ?? 0) ? [index] : [],
      )
      for (const [index, at] of times.entries()) expect(at - (times[index - 1] ?? -6)).toBeGreaterThanOrEqual(6)
    }),
  )
})

describe('a collapse', () => {
  const fast = last(follow([3_000, 3_000]))

  test('is a fall to a fraction within two readings, of a network that was fast', () => {
    expect(hasCollapsed(fast, 120)).toBe(true)
    // The reading in between shows half of the fall.
    expect(hasCollapsed(last(follow([700], true, fast)), 400)).toBe(true)
    expect(hasCollapsed(fast, 1_500)).toBe(false)
    expect(hasCollapsed(last(follow([500, 500])), 50)).toBe(false)
  })

  test('counts once, and is none where the browser has no estimate', () => {
    expect(hasCollapsed(last(follow([120, 120], true, fast)), 110)).toBe(false)
    expect(hasCollapsed(fast, null)).toBe(false)
  })
})
