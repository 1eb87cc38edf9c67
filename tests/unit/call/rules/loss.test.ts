import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reading } from '../../../../src/call/rules/call-reading.ts'
import { type LossState, noLoss, stepLoss } from '../../../../src/call/rules/loss.ts'

const HALF_A_MINUTE = 30
/** More delay than this makes people interrupt each other. */
const MAX_DELAY_MS = 600

function reading(given: Partial<Reading> = {}): Reading {
  return {
    outLoss: 0,
    inLoss: 0,
    roundTripMs: 60,
    queueMs: 0,
    busy: 0,
    coding: 0.1,
    dropped: 0,
    roomKbps: null,
    limitedBy: 'none',
    ...given,
  }
}

/** Returns the state after each of `count` readings that are alike. */
function steady(given: Partial<Reading>, count: number, from = noLoss): LossState[] {
  let state = from
  return Array.from({ length: count }, () => {
    state = stepLoss(state, reading(given))
    return state
  })
}
const lossAfter = (given: Partial<Reading>, count: number, from = noLoss) => steady(given, count, from).at(-1) ?? from

const share = fc.double({ min: 0, max: 1, noNaN: true })
const anyReading = fc.record({ outLoss: share, inLoss: share, roundTripMs: fc.integer({ min: 0, max: 5_000 }) })

describe('loss', () => {
  test('that does not occur asks for nothing', () => {
    expect(lossAfter({}, 300)).toEqual(noLoss)
  })

  test('of 10 % both ways asks within seconds for a codec that stands it, and for a delay, but for no layers', () => {
    const state = lossAfter({ outLoss: 0.1, inLoss: 0.1 }, 3)
    expect(state.isLossy).toBe(true)
    expect(state.delayMs).toBeGreaterThanOrEqual(60)
    expect(lossAfter({ outLoss: 0.1, inLoss: 0.1 }, 600).layers).toBe(1)
  })

  test('of our packets changes what is sent, that of the peer’s packets changes what is played', () => {
    expect(lossAfter({ outLoss: 0.3 }, 20)).toMatchObject({ isLossy: true, layers: 3, delayMs: null })
    expect(lossAfter({ inLoss: 0.3 }, 20)).toMatchObject({ isLossy: false, layers: 1, delayMs: expect.any(Number) })
  })

  test('that is heavy asks for three layers, and one lost burst does not', () => {
    expect(lossAfter({ outLoss: 0.3 }, 10).layers).toBe(3)
    expect(lossAfter({ outLoss: 0.3 }, 1).layers).toBe(1)
  })

  test('between light and heavy leaves the layers as they are', () => {
    const layered = lossAfter({ outLoss: 0.3 }, 20)
    expect(lossAfter({ outLoss: 0.13 }, 300, layered).layers).toBe(3)
    expect(lossAfter({ outLoss: 0.13 }, 300).layers).toBe(1)
  })

  test('of one packet in a reading delays nothing', () => {
    expect(lossAfter({ inLoss: 0.02 }, 1).delayMs).toBeNull()
    expect(lossAfter({ inLoss: 0.02 }, 10).delayMs).not.toBeNull()
  })

  test('that is heavy asks for the time of several attempts', () => {
    const delayOf = (inLoss: number) => lossAfter({ inLoss, roundTripMs: 120 }, 30).delayMs ?? 0
    expect(delayOf(0.3)).toBeGreaterThan(delayOf(0.05))
    expect(delayOf(0.3)).toBeGreaterThanOrEqual(2 * 120)
  })

  test('over a full queue asks for no more delay than over an empty one: it is the queue that has to go', () => {
    const delayOf = (given: Partial<Reading>) => lossAfter({ inLoss: 0.05, ...given }, 5).delayMs
    expect(delayOf({ roundTripMs: 500, queueMs: 400 })).toBe(delayOf({ roundTripMs: 100 }))
  })

  test('over a round trip that varies a little keeps one delay, or two that are next to each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 400 }), fc.array(fc.integer({ min: 0, max: 20 })), (base, more) => {
        let state = lossAfter({ inLoss: 0.05, roundTripMs: base }, 5)
        const delays = [
          state,
          ...more.map((ms) => (state = lossAfter({ inLoss: 0.05, roundTripMs: base + ms }, 1, state))),
        ]
        expect(new Set(delays.map(({ delayMs }) => delayMs)).size).toBeLessThanOrEqual(2)
      }),
    )
  })

  test('that is heavier, or a longer round trip, never asks for less delay', () => {
    fc.assert(
      fc.property(anyReading, anyReading, (one, other) => {
        const less = {
          inLoss: Math.min(one.inLoss, other.inLoss),
          roundTripMs: Math.min(one.roundTripMs, other.roundTripMs),
        }
        const more = {
          inLoss: Math.max(one.inLoss, other.inLoss),
          roundTripMs: Math.max(one.roundTripMs, other.roundTripMs),
        }
        expect(lossAfter(more, 100).delayMs ?? 0).toBeGreaterThanOrEqual(lossAfter(less, 100).delayMs ?? 0)
      }),
    )
  })

  test('has a delay in which a lost packet can be sent again, as far as people can talk with it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 5_000 }),
        (inLoss, roundTripMs) => {
          const { delayMs } = lossAfter({ inLoss, roundTripMs }, 20)
          expect(delayMs).toBeGreaterThanOrEqual(Math.min(MAX_DELAY_MS, roundTripMs))
          expect(delayMs).toBeLessThanOrEqual(MAX_DELAY_MS)
        },
      ),
    )
  })
})

describe('calm', () => {
  const lossy = lossAfter({ outLoss: 0.3, inLoss: 0.3 }, 30)

  test('ends delay and layers after half a minute, and keeps the codec', () => {
    const states = steady({}, 2 * HALF_A_MINUTE, lossy)
    const early = states[HALF_A_MINUTE - 2]
    expect(early?.layers).toBe(3)
    expect(early?.delayMs).toBe(lossy.delayMs)
    expect(states.at(-1)).toMatchObject({ layers: 1, delayMs: null, isLossy: true })
  })

  test('that is interrupted by loss starts anew', () => {
    const nearly = lossAfter({}, HALF_A_MINUTE - 5, lossy)
    const again = lossAfter({ outLoss: 0.3, inLoss: 0.3 }, 10, nearly)
    expect(lossAfter({}, HALF_A_MINUTE - 5, again)).toMatchObject({ layers: 3, delayMs: lossy.delayMs })
  })

  test('of a shorter round trip shortens the delay, which a longer one lengthens at once', () => {
    const long = lossAfter({ inLoss: 0.05, roundTripMs: 300 }, 5)
    const short = lossAfter({ inLoss: 0.05, roundTripMs: 50 }, 2 * HALF_A_MINUTE, long)
    expect(short.delayMs).toBeLessThan(long.delayMs ?? 0)
    expect(short.delayMs).not.toBeNull()
    expect(lossAfter({ inLoss: 0.05, roundTripMs: 300 }, 1, short).delayMs).toBe(long.delayMs)
  })

  test('has to last as long again before the delay is shortened once more', () => {
    const long = lossAfter({ inLoss: 0.05, roundTripMs: 400 }, 5)
    const shorter = lossAfter({ inLoss: 0.05, roundTripMs: 200 }, HALF_A_MINUTE, long)
    expect(shorter.delayMs).toBeLessThan(long.delayMs ?? 0)
    expect(lossAfter({ inLoss: 0.05, roundTripMs: 20 }, HALF_A_MINUTE - 1, shorter).delayMs).toBe(shorter.delayMs)
    expect(lossAfter({ inLoss: 0.05, roundTripMs: 20 }, HALF_A_MINUTE, shorter).delayMs).toBeLessThan(
      shorter.delayMs ?? 0,
    )
  })
})

test('for any readings shares stay shares, the delay stays bearable, and a codec that stands loss is kept', () => {
  fc.assert(
    fc.property(fc.array(anyReading, { maxLength: 200, size: 'max' }), (all) => {
      let state = noLoss
      for (const given of all) {
        const next = stepLoss(state, reading(given))
        for (const one of [next.in, next.out]) {
          expect(one).toBeGreaterThanOrEqual(0)
          expect(one).toBeLessThanOrEqual(1)
        }
        expect([1, 3]).toContain(next.layers)
        if (next.delayMs !== null) {
          expect(next.delayMs).toBeGreaterThan(0)
          expect(next.delayMs).toBeLessThanOrEqual(MAX_DELAY_MS)
        }
        if (state.isLossy) expect(next.isLossy).toBe(true)
        state = next
      }
    }),
  )
})

test('for any readings delay and layers are reduced at most once in half a minute', () => {
  fc.assert(
    fc.property(fc.array(anyReading, { maxLength: 200, size: 'max' }), (all) => {
      let state = noLoss
      const reduced = { delay: Number.NEGATIVE_INFINITY, layers: Number.NEGATIVE_INFINITY }
      for (const [index, given] of all.entries()) {
        const next = stepLoss(state, reading(given))
        if (state.delayMs !== null && (next.delayMs ?? 0) < state.delayMs) {
          expect(index - reduced.delay).toBeGreaterThanOrEqual(HALF_A_MINUTE)
          reduced.delay = index
        }
        if (next.layers < state.layers) {
          expect(index - reduced.layers).toBeGreaterThanOrEqual(HALF_A_MINUTE)
          reduced.layers = index
        }
        state = next
      }
    }),
  )
})
