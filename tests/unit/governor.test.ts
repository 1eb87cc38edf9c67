import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CallSample,
  type GovernorState,
  governorAt,
  type PageLoad,
  stepGovernor,
} from '../../src/domain/governor.ts'
import { bestLevelOf, LOWEST, ladder, limitsOf } from '../../src/domain/send-ladder.ts'
import { sampleAt } from '../support/call/call-sample.ts'
import { callSeries } from '../support/call/call-series.ts'

const seen: PageLoad = { hidden: false, longTaskMs: 0 }
/** Samples after which a governor counts readings. */
const SETTLED = 3
/** Samples after a step down that still reflect the time before it. */
const AFTERMATH = 1

type Series = { seconds: number; given?: Partial<CallSample>; page?: PageLoad }[]

/** Returns level and signal after each second. */
function run(series: Series, from = governorAt(0), best = 0) {
  let state = from
  let index = 0
  const states: GovernorState[] = []
  for (const { seconds, given, page = seen } of series)
    for (let count = 0; count < seconds; count += 1) {
      state = stepGovernor(state, sampleAt(index, given), page, best)
      states.push(state)
      index += 1
    }
  return { levels: states.map(({ level }) => level), bars: states.map(({ signal }) => signal.bars), state }
}

function replay(name: Parameters<typeof callSeries>[0], best = 0): GovernorState[] {
  let state = governorAt(best)
  return callSeries(name).map(({ sample, page }) => {
    state = stepGovernor(state, sample, page, best)
    return state
  })
}

describe('a call', () => {
  test('without trouble stays at its best, with three bars', () => {
    const { levels, state } = run([{ seconds: 120 }])
    expect(new Set(levels)).toEqual(new Set([0]))
    expect(state.signal).toEqual({ bars: 3, reason: 'good' })
  })

  test('of a smaller tier does not go above the best level of its camera', () => {
    const { levels } = run([{ seconds: 60 }], governorAt(2), 2)
    expect(new Set(levels)).toEqual(new Set([2]))
  })

  test('on a slow device steps down within seconds, and shows why', () => {
    const { levels, state } = run([{ seconds: SETTLED + 4, given: { limitedBy: 'cpu' } }])
    expect(levels.at(-1)).toBe(2)
    expect(state.signal).toEqual({ bars: 2, reason: 'slow-device' })
  })

  test.each<[string, (index: number) => Partial<CallSample>, PageLoad]>([
    ['whose page is busy', () => ({}), { hidden: false, longTaskMs: 400 }],
    ['whose decoder cannot keep up', (index) => ({ decodeSeconds: index * 0.95 }), seen],
    ['whose encoder cannot keep up', (index) => ({ encodeSeconds: index * 0.95 }), seen],
    ['that drops what the peer sends', (index) => ({ framesDropped: index * 20 }), seen],
  ])('%s counts as on a slow device', (_, given, page) => {
    let state = governorAt(0)
    for (let index = 0; index < SETTLED + 2; index += 1)
      state = stepGovernor(state, sampleAt(index, given(index)), page, 0)
    expect(state.level).toBe(1)
    expect(state.signal.reason).toBe('slow-device')
  })

  test('over a network with suddenly less bandwidth goes at once to the level that fits', () => {
    const { levels, state } = run([
      { seconds: 10 },
      { seconds: 20, given: { limitedBy: 'bandwidth', availableKbps: 280 } },
    ])
    expect(levels.slice(10, 12)).toEqual([0, 4])
    expect(new Set(levels.slice(12))).toEqual(new Set([4]))
    expect(limitsOf(state, 'high', false).maxKbps).toBeLessThanOrEqual(280)
    expect(state.signal).toEqual({ bars: 2, reason: 'weak-network' })
  })

  test('whose network and send rate collapse does not count that as free bandwidth', () => {
    const { levels } = run([{ seconds: 10 }, { seconds: 4, given: { availableKbps: 200, bytesSent: 9 * 312_500 } }])
    expect(levels.at(-1)).toBe(4)
  })

  test('that sends less than the bandwidth allows does not step down for a low estimate', () => {
    const { levels } = run([{ seconds: 30, given: { availableKbps: 400, bytesSent: 0 } }])
    expect(new Set(levels)).toEqual(new Set([0]))
  })

  test('in a browser without an estimate uses its bandwidth limitation', () => {
    const { state } = run([{ seconds: 10, given: { limitedBy: 'bandwidth', availableKbps: null } }])
    expect(state.level).toBeGreaterThan(0)
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('in a browser that reports only losses steps down and up by these', () => {
    const bare = { availableKbps: null, roundTripMs: null }
    const { levels } = run([
      { seconds: 10, given: { ...bare, remoteLoss: 0.3 } },
      { seconds: 100, given: { ...bare, remoteLoss: null } },
    ])
    expect(Math.max(...levels)).toBeGreaterThan(1)
    expect(levels.at(-1)).toBe(0)
  })

  test('with queueing delay steps down before packets are lost', () => {
    const { levels, state } = run([{ seconds: 20 }, { seconds: 6, given: { roundTripMs: 700 } }])
    expect(levels.at(-1)).toBeGreaterThan(1)
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('with a distant peer keeps its picture: a smaller one would not shorten the round trip', () => {
    const { levels, state } = run([{ seconds: 60, given: { roundTripMs: 700 } }])
    expect(new Set(levels)).toEqual(new Set([0]))
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('that loses the peer’s packets shows that, and keeps its own picture', () => {
    let state = governorAt(0)
    for (let index = 0; index < 10; index += 1)
      state = stepGovernor(state, sampleAt(index, { packetsLost: index * 50, framesDropped: index * 20 }), seen, 0)
    expect(state.signal).toEqual({ bars: 1, reason: 'peer-network' })
    expect(state.level).toBe(0)
  })

  test('that recovers steps up slowly: ten good seconds a step', () => {
    const { levels } = run([{ seconds: SETTLED + 5, given: { remoteLoss: 0.2 } }, { seconds: 40 }])
    const ups = levels.flatMap((level, index) => (level < (levels[index - 1] ?? 0) ? [index] : []))
    expect(Math.max(...levels)).toBe(2)
    const firstGood = SETTLED + 5 + AFTERMATH
    expect(ups).toEqual([firstGood + 9, firstGood + 19])
  })

  test('one bad second changes neither the level nor the signal', () => {
    const { levels, bars } = run([{ seconds: 10 }, { seconds: 1, given: { remoteLoss: 0.5 } }, { seconds: 10 }])
    expect(new Set(levels)).toEqual(new Set([0]))
    expect(new Set(bars)).toEqual(new Set([3]))
  })

  test('in its first seconds ignores its readings', () => {
    const { levels } = run([{ seconds: SETTLED + 1, given: { limitedBy: 'cpu' } }, { seconds: 10 }])
    expect(new Set(levels)).toEqual(new Set([0]))
  })

  test('that undoes a step up waits longer before the next one', () => {
    let state = governorAt(1)
    const ups: number[] = []
    for (let index = 0; index < 400; index += 1) {
      const given: Partial<CallSample> = state.level === 0 ? { limitedBy: 'cpu' } : {}
      const next = stepGovernor(state, sampleAt(index, given), seen, 0)
      if (next.level < state.level) ups.push(index)
      state = next
    }
    const waits = ups.slice(1).map((at, index) => at - (ups[index] ?? 0))
    expect(waits.length).toBeGreaterThan(1)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(waits.at(-1)).toBeGreaterThan(2 * (waits[0] ?? 0))
    expect(waits.at(-1)).toBeLessThan(90)
  })

  test('that has kept a step up for a minute waits no longer than at first', () => {
    const hasty = { ...governorAt(1), goodNeeded: 80 }
    const { levels, state } = run([{ seconds: 200 }], { ...hasty, level: 2 })
    expect(levels.at(-1)).toBe(0)
    expect(state.goodNeeded).toBe(governorAt(0).goodNeeded)
  })
})

describe('a recorded call', () => {
  const levelsOf = (states: readonly GovernorState[]) => states.map(({ level }) => level)
  /** Returns the first second that changes the level. */
  const noticed = (states: readonly GovernorState[]) => states.findIndex(({ level }) => level > 0)

  test('over a clean network keeps its best picture and all its bars', () => {
    const states = replay('clean')
    expect(new Set(levelsOf(states))).toEqual(new Set([0]))
    expect(new Set(states.map(({ signal }) => signal.bars))).toEqual(new Set([3]))
  })

  test('whose uplink becomes narrow steps down within three seconds, shows that, and does not oscillate', () => {
    const states = replay('congested-uplink')
    expect(noticed(states)).toBeGreaterThanOrEqual(10)
    expect(noticed(states)).toBeLessThanOrEqual(13)
    expect(states[13]?.signal).toEqual({ bars: 1, reason: 'weak-network' })
    const ups = levelsOf(states).filter((level, index, all) => level < (all[index - 1] ?? 0))
    expect(ups.length).toBeLessThanOrEqual(1)
    expect(limitsOf(states.at(-1) ?? governorAt(0), 'high', false).maxKbps).toBeLessThanOrEqual(350)
  })

  test('over a lossy mobile network becomes small, and never shows three bars', () => {
    const states = replay('lossy-mobile')
    expect(levelsOf(states).at(-1)).toBe(LOWEST)
    for (const { signal } of states.slice(8)) expect(signal.bars).toBeLessThan(3)
  })

  test('on a machine that becomes busy steps down', () => {
    const states = replay('slow-cpu')
    expect(noticed(states)).toBeLessThanOrEqual(13)
    expect(states.at(-1)?.signal.reason).toBe('slow-device')
    expect(states.at(-1)?.cause).toBe('slow-device')
  })

  test('whose network recovers returns to its best, one step at a time', () => {
    const levels = levelsOf(replay('recovery'))
    expect(Math.max(...levels)).toBeGreaterThanOrEqual(3)
    expect(levels.at(-1)).toBe(0)
    const steps = levels.map((level, index) => level - (levels[index - 1] ?? 0))
    expect(Math.min(...steps)).toBe(-1)
    // Down, then up, without a step down in between.
    expect(steps.findLastIndex((step) => step > 0)).toBeLessThan(steps.indexOf(-1))
  })
})

describe('a hidden page', () => {
  test('sends little, and ignores its readings', () => {
    const { state } = run([{ seconds: 30, given: { limitedBy: 'cpu' }, page: { hidden: true, longTaskMs: 900 } }])
    expect(state.level).toBe(0)
    expect(limitsOf(state, 'high', true)).toEqual({ maxKbps: 80, maxFrameRate: 5, scaleDownBy: 4 })
    expect(limitsOf(state, 'high', false)).toEqual({ maxKbps: 2_500, maxFrameRate: 30, scaleDownBy: 1 })
  })

  test('that is visible again ignores its first seconds', () => {
    const hidden = { hidden: true, longTaskMs: 0 }
    const { levels } = run([
      { seconds: 10 },
      { seconds: 10, page: hidden },
      { seconds: SETTLED, given: { limitedBy: 'bandwidth', availableKbps: 100 } },
      { seconds: 10 },
    ])
    expect(new Set(levels)).toEqual(new Set([0]))
  })
})

describe('the best picture', () => {
  test.each([
    ['high', 2_500, 720],
    ['medium', 900, 480],
    ['low', 500, 360],
  ] as const)('of the tier %s is not scaled, at %i kbit/s', (tier, maxKbps, capturedSide) => {
    const state = { level: bestLevelOf(tier), last: sampleAt(0, { capturedSide }) }
    expect(limitsOf(state, tier, false)).toMatchObject({ maxKbps, scaleDownBy: 1 })
  })

  test('of a camera larger than its tier is scaled, of a smaller one is not', () => {
    const limits = (capturedSide: number) =>
      limitsOf({ level: 2, last: sampleAt(0, { capturedSide }) }, 'medium', false)
    expect(limits(1_080).scaleDownBy).toBe(2.25)
    expect(limits(480).scaleDownBy).toBe(1)
    expect(limits(240).scaleDownBy).toBe(1)
  })

  test('of a camera of unknown size is scaled by its tier', () => {
    expect(limitsOf({ level: 3, last: null }, 'high', false).scaleDownBy).toBe(2)
    expect(limitsOf({ level: 3, last: null }, 'low', false).scaleDownBy).toBe(1)
  })
})

const anySample = fc.record({
  remoteLoss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  roundTripMs: fc.option(fc.integer({ min: 0, max: 5_000 })),
  availableKbps: fc.option(fc.integer({ min: 0, max: 10_000 })),
  limitedBy: fc.constantFrom('none' as const, 'cpu' as const, 'bandwidth' as const, 'other' as const),
  packetsLost: fc.integer({ min: 0, max: 1_000 }),
})
const anyPage = fc.record({ hidden: fc.boolean(), longTaskMs: fc.integer({ min: 0, max: 2_000 }) })

test('for any samples, the level stays between the best of its tier and the lowest, and goes up one step at a time', () => {
  fc.assert(
    fc.property(fc.nat(3), fc.array(fc.tuple(anySample, anyPage), { maxLength: 200, size: 'max' }), (best, all) => {
      let state = governorAt(best)
      for (const [index, [given, page]] of all.entries()) {
        const next = stepGovernor(state, sampleAt(index, given), page, best)
        expect(next.level).toBeGreaterThanOrEqual(best)
        expect(next.level).toBeLessThanOrEqual(LOWEST)
        expect(next.level - state.level).toBeGreaterThanOrEqual(-1)
        state = next
      }
    }),
  )
})

test('under constant conditions level and signal do not oscillate', () => {
  fc.assert(
    fc.property(
      anySample,
      anyPage,
      fc.integer({ min: 0, max: 400_000 }),
      fc.nat(LOWEST),
      (given, page, bytes, start) => {
        let state = governorAt(start)
        const moves = new Set<number>()
        const signals: string[] = []
        for (let index = 0; index < 600; index += 1) {
          const packetsLost = index * given.packetsLost
          const next = stepGovernor(
            state,
            sampleAt(index, { ...given, packetsLost, bytesSent: index * bytes }),
            page,
            0,
          )
          if (next.level !== state.level) moves.add(Math.sign(next.level - state.level))
          state = next
          signals.push(`${next.signal.bars} ${next.signal.reason}`)
        }
        expect(moves.size).toBeLessThanOrEqual(1)
        expect(new Set(signals.slice(-100)).size).toBe(1)
      },
    ),
  )
})

test('the capacity of any link with an estimate near the send rate is found and kept', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 6_000 }), fc.nat(LOWEST), (linkKbps, start) => {
      let state = governorAt(start)
      let bytesSent = 0
      let availableKbps = 1_000
      const levels: number[] = []
      for (let index = 0; index < 600; index += 1) {
        const sentKbps = Math.min(ladder[state.level]?.maxKbps ?? 0, availableKbps)
        bytesSent += (sentKbps * 1_000) / 8
        // Follows the send rate like congestion control, up to the capacity of the link.
        availableKbps = Math.min(linkKbps, Math.max(availableKbps * 1.08, sentKbps * 1.5))
        const limitedBy = sentKbps >= availableKbps ? 'bandwidth' : 'none'
        state = stepGovernor(state, sampleAt(index, { bytesSent, availableKbps, limitedBy }), seen, 0)
        levels.push(state.level)
      }
      const settled = new Set(levels.slice(-200))
      expect(settled.size).toBe(1)
      const { maxKbps } = ladder[state.level] ?? { maxKbps: 0 }
      // Not far above the capacity, and no possible step up is missed.
      expect(ladder[state.level + 1]?.maxKbps ?? 0).toBeLessThanOrEqual(linkKbps)
      if (state.level > 0) expect(linkKbps).toBeLessThanOrEqual(maxKbps * 1.25)
    }),
  )
})
