import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CallSample,
  type GovernorState,
  governorAt,
  ladder,
  limitsOf,
  type PageLoad,
  stepGovernor,
} from '../../src/domain/governor.ts'

const seen: PageLoad = { hidden: false, longTaskMs: 0 }
const LOWEST = ladder.length - 1

/** A second of a call in which all is well, but for what is given. */
function second(index: number, given: Partial<CallSample> = {}): CallSample {
  return {
    at: index * 1_000,
    framesDecoded: index * 30,
    framesDropped: 0,
    decodeSeconds: index * 0.05,
    encodeSeconds: index * 0.1,
    audioPacketsReceived: index * 50,
    packetsReceived: index * 200,
    packetsLost: 0,
    remoteLoss: 0,
    roundTripMs: 60,
    availableKbps: 4_000,
    bytesSent: index * 150_000,
    bytesReceived: index * 150_000,
    framesEncoded: index * 30,
    limitedBy: 'none',
    sentHeight: 720,
    receivedHeight: 720,
    codec: 'video/VP8',
    isRelayed: false,
    ...given,
  }
}

type Series = { seconds: number; given?: Partial<CallSample>; page?: PageLoad }[]

/** The level after each second. */
function run(series: Series, from = governorAt(0), best = 0): { levels: number[]; state: GovernorState } {
  let state = from
  let index = 0
  const levels: number[] = []
  for (const { seconds, given, page = seen } of series)
    for (let count = 0; count < seconds; count += 1) {
      state = stepGovernor(state, second(index, given), page, best)
      levels.push(state.level)
      index += 1
    }
  return { levels, state }
}

describe('a call', () => {
  test('in which all is well stays at its best, with three bars', () => {
    const { levels, state } = run([{ seconds: 120 }])
    expect(new Set(levels)).toEqual(new Set([0]))
    expect(state.signal).toEqual({ bars: 3, reason: 'good' })
  })

  test('on a slow device steps down within seconds, and says why', () => {
    const { levels, state } = run([{ seconds: 6, given: { limitedBy: 'cpu' } }])
    expect(levels.at(-1)).toBeGreaterThanOrEqual(2)
    expect(state.signal.reason).toBe('slow-device')
  })

  test('whose page is busy steps down, too', () => {
    const { state } = run([{ seconds: 4, page: { hidden: false, longTaskMs: 400 } }])
    expect(state.level).toBeGreaterThan(0)
    expect(state.signal.reason).toBe('slow-device')
  })

  test('over a congested uplink steps down to what there is room for', () => {
    const { state } = run([{ seconds: 60, given: { limitedBy: 'bandwidth', availableKbps: 300 } }])
    expect(limitsOf(state, false).maxKbps).toBeLessThanOrEqual(500)
    expect(state.level).toBeLessThan(LOWEST)
  })

  test('over a lossy mobile network has one bar', () => {
    const { state } = run([{ seconds: 5, given: { remoteLoss: 0.15, roundTripMs: 800 } }])
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('with a peer whose packets are lost says so, and does not punish its own picture', () => {
    let state = governorAt(0)
    for (let index = 0; index < 10; index += 1)
      state = stepGovernor(state, second(index, { packetsLost: index * 50 }), seen, 0)
    expect(state.signal).toEqual({ bars: 1, reason: 'peer-network' })
    expect(state.level).toBe(0)
  })

  test('that recovers steps up slowly: ten good seconds a step', () => {
    const { levels } = run([{ seconds: 4, given: { remoteLoss: 0.2 } }, { seconds: 40 }])
    const lowest = Math.max(...levels)
    expect(levels.at(-1)).toBe(0)
    const firstUp = levels.findIndex((level, index) => index > 4 && level < lowest)
    expect(firstUp).toBeGreaterThanOrEqual(4 + 9)
  })

  test('one bad second changes nothing', () => {
    const { levels } = run([{ seconds: 10 }, { seconds: 1, given: { remoteLoss: 0.5 } }, { seconds: 10 }])
    expect(new Set(levels)).toEqual(new Set([0]))
  })

  test('that cannot hold a step up waits longer before it tries again', () => {
    let state = governorAt(1)
    const ups: number[] = []
    for (let index = 0; index < 400; index += 1) {
      const given: Partial<CallSample> = state.level === 0 ? { limitedBy: 'cpu' } : {}
      const next = stepGovernor(state, second(index, given), seen, 0)
      if (next.level < state.level) ups.push(index)
      state = next
    }
    const waits = ups.slice(1).map((at, index) => at - (ups[index] ?? 0))
    expect(waits.length).toBeGreaterThan(1)
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    expect(waits.at(-1)).toBeGreaterThan(2 * (waits[0] ?? 0))
  })
})

test('a hidden page sends little, and judges nothing by what it measures', () => {
  const { state } = run([{ seconds: 30, given: { limitedBy: 'cpu' }, page: { hidden: true, longTaskMs: 900 } }])
  expect(state.level).toBe(0)
  expect(limitsOf(state, true).maxFrameRate).toBe(5)
  expect(limitsOf(state, false)).toEqual(ladder[0])
})

const anySample = fc.record({
  remoteLoss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  roundTripMs: fc.option(fc.integer({ min: 0, max: 5_000 })),
  availableKbps: fc.option(fc.integer({ min: 0, max: 10_000 })),
  limitedBy: fc.constantFrom('none' as const, 'cpu' as const, 'bandwidth' as const, 'other' as const),
  packetsLost: fc.integer({ min: 0, max: 1_000 }),
})
const anyPage = fc.record({ hidden: fc.boolean(), longTaskMs: fc.integer({ min: 0, max: 2_000 }) })

test('whatever is measured, it stays on the ladder between the best of its tier and the lowest, one step at a time', () => {
  fc.assert(
    fc.property(fc.nat(2), fc.array(fc.tuple(anySample, anyPage), { maxLength: 200 }), (best, all) => {
      let state = governorAt(best)
      for (const [index, [given, page]] of all.entries()) {
        const next = stepGovernor(state, second(index, given), page, best)
        expect(next.level).toBeGreaterThanOrEqual(best)
        expect(next.level).toBeLessThanOrEqual(LOWEST)
        expect(Math.abs(next.level - state.level)).toBeLessThanOrEqual(1)
        state = next
      }
    }),
  )
})

test('what does not change does not swing: the level goes one way and stays', () => {
  fc.assert(
    fc.property(anySample, anyPage, fc.nat(LOWEST), (given, page, start) => {
      const { levels } = run([{ seconds: 300, given, page }], governorAt(start))
      const moves = levels.map((level, index) => level - (levels[index - 1] ?? start)).filter((move) => move !== 0)
      expect(new Set(moves).size).toBeLessThanOrEqual(1)
    }),
  )
})
