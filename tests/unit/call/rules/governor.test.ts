import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallSample, Conditions } from '../../../../src/call/rules/call-reading.ts'
import { type GovernorState, governorStart, isAtBest, stepGovernor } from '../../../../src/call/rules/governor.ts'
import { limitsOf, networkSteps, SLOWEST_DEVICE } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'
import { levelsOf, mostChanges } from '../../../support/call/steps.ts'

const seen: Conditions = { hidden: false, longTaskMs: 0, ceilingKbps: null }
/** Samples after which a governor counts the readings of the device. */
const SETTLED = governorStart.settling + 1
/** A network on which sound and picture do not fit both, and one that hardly carries the sound. */
const narrow: Partial<CallSample> = { limitedBy: 'bandwidth', availableKbps: 100 }
const choked: Partial<CallSample> = { limitedBy: 'bandwidth', availableKbps: 15 }

type Series = { seconds: number; given?: Partial<CallSample>; page?: Conditions }[]

/** Returns the state after each second. */
function run(series: Series, from = governorStart) {
  let state = from
  let index = 0
  const states: GovernorState[] = []
  for (const { seconds, given, page = seen } of series)
    for (let count = 0; count < seconds; count += 1) {
      state = stepGovernor(state, sampleAt(index, given), page)
      states.push(state)
      index += 1
    }
  return { states, state, bars: states.map(({ signal }) => signal.bars), ...levelsOf(states) }
}

const only = (level: number) => new Set([level])

describe('a call', () => {
  test('without trouble stays at its best, with three bars', () => {
    const { network, device, state } = run([{ seconds: 120 }])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
    expect(new Set(device)).toEqual(only(0))
    expect(state.signal).toEqual({ bars: 3, reason: 'good' })
    expect(isAtBest(state)).toBe(true)
  })

  test('one bad second changes neither the levels nor the signal', () => {
    const { network, device, bars } = run([
      { seconds: 10 },
      { seconds: 1, given: { remoteLoss: 0.09, limitedBy: 'cpu', availableKbps: 900 } },
      { seconds: 10 },
    ])
    expect(new Set([...network, ...device])).toEqual(only(0))
    expect(new Set(bars)).toEqual(only(3))
  })

  test('is not at its best with a reduced picture, a weak signal or a delay', () => {
    for (const given of [{ limitedBy: 'cpu' as const }, narrow, { roundTripMs: 700 }])
      expect(isAtBest(run([{ seconds: 20, given }]).state)).toBe(false)
    const delayed = { ...run([{ seconds: 20 }]).state, loss: { ...governorStart.loss, delayMs: 200 } }
    expect(isAtBest(delayed)).toBe(false)
  })
})

describe('a ceiling of what is sent', () => {
  const fast = { seconds: 20, given: { availableKbps: 3_000 } }
  const under = (ceilingKbps: number, seconds: number) => ({
    seconds,
    given: { availableKbps: ceilingKbps, limitedBy: 'bandwidth' as const },
    page: { ...seen, ceilingKbps },
  })

  test.each([115, 12])('of %i kbit/s is not taken for a slow network, nor its end', (ceilingKbps) => {
    const { network, bars, states } = run([
      fast,
      under(ceilingKbps, 60),
      { seconds: 2, given: { availableKbps: ceilingKbps, limitedBy: 'bandwidth' } },
      fast,
    ])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
    expect(new Set(bars)).toEqual(only(3))
    // Nothing is measured under the ceiling.
    expect(states[79]?.recovery.asked).toBe(0)
  })

  test('that the network does not carry is', () => {
    const slow = { availableKbps: 50, limitedBy: 'bandwidth' as const }
    const { network } = run([fast, under(115, 10), { seconds: 20, given: slow, page: { ...seen, ceilingKbps: 115 } }])
    expect(network.at(-1)).toBeGreaterThan(networkSteps.wide)
  })
})

describe('a slow device', () => {
  test('steps down within seconds, shows why, and does not lower the network', () => {
    const { device, network, state } = run([{ seconds: SETTLED + 4, given: { limitedBy: 'cpu' } }])
    expect(device.at(-1)).toBe(2)
    expect(state.signal).toEqual({ bars: 2, reason: 'slow-device' })
    expect(new Set(network)).toEqual(only(networkSteps.wide))
  })

  test.each<[string, (index: number) => Partial<CallSample>, Conditions]>([
    ['whose page is busy', () => ({}), { ...seen, longTaskMs: 400 }],
    ['whose decoder cannot keep up', (index) => ({ decodeSeconds: index * 0.95 }), seen],
    ['whose encoder cannot keep up', (index) => ({ encodeSeconds: index * 0.95 }), seen],
    ['that drops what the peer sends', (index) => ({ framesDropped: index * 20 }), seen],
  ])('is one %s', (_, given, page) => {
    let state = governorStart
    for (let index = 0; index < SETTLED + 2; index += 1)
      state = stepGovernor(state, sampleAt(index, given(index)), page)
    expect(state.device.level).toBe(1)
    expect(state.signal.reason).toBe('slow-device')
  })

  test('is none whose frames are dropped for lost packets: that is shown, and its own picture stays', () => {
    let state = governorStart
    for (let index = 0; index < 10; index += 1)
      state = stepGovernor(state, sampleAt(index, { packetsLost: index * 50, framesDropped: index * 20 }), seen)
    expect(state.signal).toEqual({ bars: 1, reason: 'peer-network' })
    expect(state.device.level).toBe(0)
  })

  test('in its first seconds is ignored', () => {
    const { device } = run([{ seconds: SETTLED, given: { limitedBy: 'cpu' } }, { seconds: 10 }])
    expect(new Set(device)).toEqual(only(0))
  })

  test('that recovers returns to its best, one step at a time', () => {
    const { device, state } = run([{ seconds: 30, given: { limitedBy: 'cpu' } }, { seconds: 120 }])
    expect(Math.max(...device)).toBe(SLOWEST_DEVICE)
    expect(device.at(-1)).toBe(0)
    expect(device.map((level, index) => level - (device[index - 1] ?? 0)).every((step) => step >= -1)).toBe(true)
    expect(state.signal).toEqual({ bars: 3, reason: 'good' })
  })
})

describe('a network', () => {
  test('that carries sound and a modest picture is left to the browser’s congestion control', () => {
    const { network } = run([{ seconds: 60, given: { limitedBy: 'bandwidth', availableKbps: 300 } }])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
  })

  test('on which sound and picture do not fit both gets a narrow picture, and keeps it', () => {
    const { network, state } = run([
      { seconds: 10, given: { availableKbps: 500 } },
      { seconds: 12, given: narrow },
    ])
    expect(network[9]).toBe(networkSteps.wide)
    expect(new Set(network.slice(12))).toEqual(only(networkSteps.narrow))
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('that collapses gets a narrow picture at once, and a free one within ten seconds once its queue is empty', () => {
    const { network } = run([{ seconds: 10 }, { seconds: 1, given: { availableKbps: 150 } }])
    expect(network.at(-1)).toBe(networkSteps.narrow)
    const calm = run([{ seconds: 10 }, { seconds: 12, given: { availableKbps: 150 } }])
    expect(calm.network.at(-1)).toBe(networkSteps.wide)
    const queued = run([{ seconds: 10 }, { seconds: 12, given: { availableKbps: 150, roundTripMs: 500 } }])
    expect(queued.network.at(-1)).toBe(networkSteps.narrow)
  })

  test('that hardly carries the sound gets sound only within ten seconds, and shows that', () => {
    const { network, state } = run([{ seconds: 10 }, { seconds: 10, given: choked }])
    expect(network.at(-1)).toBe(networkSteps.soundOnly)
    expect(state.signal).toEqual({ bars: 1, reason: 'sound-only' })
  })

  test('that hardly carries the sound from the start is noticed while the call settles', () => {
    expect(run([{ seconds: SETTLED, given: choked }]).state.network.level).toBeGreaterThan(networkSteps.wide)
  })

  test('that is good again leaves sound only for stills, and those for the free picture', () => {
    const { network, state } = run([{ seconds: 20, given: choked }, { seconds: 120 }])
    const seenLevels = network.slice(20).filter((level, index, all) => level !== all[index - 1])
    expect(seenLevels).toEqual([networkSteps.soundOnly, networkSteps.still, networkSteps.wide])
    expect(state.signal).toEqual({ bars: 3, reason: 'good' })
    expect(isAtBest(state)).toBe(true)
  })

  test('with a full queue does not get its picture back', () => {
    const { state: before } = run([{ seconds: 20, given: choked }])
    let state = before
    for (let index = 0; index < 60; index += 1)
      state = stepGovernor(state, sampleAt(20 + index, { ...choked, roundTripMs: 2_000 + index * 50 }), seen)
    expect(state.network.level).toBe(networkSteps.soundOnly)
  })

  test('that is not used to its capacity is not judged by a low estimate', () => {
    const { network } = run([{ seconds: 30, given: { availableKbps: 60, bytesSent: 0 } }])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
  })

  test('of a browser without an estimate is left to that browser', () => {
    const { network } = run([
      { seconds: 30, given: { limitedBy: 'bandwidth', availableKbps: null, roundTripMs: null } },
    ])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
  })

  test('that is found slow before anything is sent begins with stills, and has its free picture within fifteen seconds if it is not', () => {
    const { network } = run([{ seconds: 15, given: { roundTripMs: 1_200 } }])
    expect(network[0]).toBe(networkSteps.still)
    expect(network.at(-1)).toBe(networkSteps.wide)
  })

  test('whose queue fills while the estimate falls keeps its stills', () => {
    let state = governorStart
    for (let index = 0; index < 12; index += 1) {
      const given = { roundTripMs: 1_100, bytesSent: index * 5_000, availableKbps: 500 * 0.8 ** index }
      state = stepGovernor(state, sampleAt(index, given), seen)
    }
    expect(state.network.level).toBe(networkSteps.still)
  })

  test('with a distant peer keeps its picture: a smaller one would not shorten the round trip', () => {
    const { network, state } = run([{ seconds: 2 }, { seconds: 60, given: { roundTripMs: 700 } }])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('with heavy loss keeps its picture, however low the estimate, and is protected from loss', () => {
    const { network, state } = run([{ seconds: 60, given: { ...choked, remoteLoss: 0.3 } }])
    expect(new Set(network)).toEqual(only(networkSteps.wide))
    expect(state.loss).toMatchObject({ isLossy: true, layers: 3 })
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })

  test('with queueing delay shows that', () => {
    const { state } = run([{ seconds: 20 }, { seconds: 6, given: { roundTripMs: 700 } }])
    expect(state.signal).toEqual({ bars: 1, reason: 'weak-network' })
  })
})

const anySample = fc.record({
  remoteLoss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  roundTripMs: fc.option(fc.integer({ min: 0, max: 5_000 })),
  // Mostly around the estimates that matter.
  availableKbps: fc.option(fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 10_000 }))),
  limitedBy: fc.constantFrom('none' as const, 'cpu' as const, 'bandwidth' as const, 'other' as const),
  packetsLost: fc.integer({ min: 0, max: 1_000 }),
})
const anyPage = fc.record({
  hidden: fc.boolean(),
  longTaskMs: fc.integer({ min: 0, max: 2_000 }),
  ceilingKbps: fc.constantFrom<(number | null)[]>(null, 115, 12),
})
const anyCall = fc.array(fc.tuple(anySample, anyPage), { maxLength: 200, size: 'max' })

describe('a hidden page', () => {
  const hidden = { ...seen, hidden: true, longTaskMs: 900 }

  test('is ignored, whatever it reads', () => {
    fc.assert(
      fc.property(anyCall, anyCall, (before, meanwhile) => {
        let state = governorStart
        for (const [index, [given, page]] of before.entries()) state = stepGovernor(state, sampleAt(index, given), page)
        const { network, device, loss, signal } = state
        for (const [index, [given]] of meanwhile.entries())
          state = stepGovernor(state, sampleAt(before.length + index, given), hidden)
        expect(state).toMatchObject({ network, device, loss, signal })
      }),
    )
  })

  test('that is visible again does not judge the device by its first seconds', () => {
    const { device } = run([
      { seconds: 10 },
      { seconds: 10, page: hidden },
      { seconds: governorStart.settling, given: { limitedBy: 'cpu' } },
      { seconds: 10 },
    ])
    expect(new Set(device)).toEqual(only(0))
  })
})

test('for any samples the levels stay within their bounds, and move by one step, that of the network by two', () => {
  fc.assert(
    fc.property(anyCall, (all) => {
      let state = governorStart
      for (const [index, [given, page]] of all.entries()) {
        const next = stepGovernor(state, sampleAt(index, given), page)
        for (const [name, lowest] of [
          ['network', networkSteps.soundOnly],
          ['device', SLOWEST_DEVICE],
        ] as const) {
          expect(next[name].level).toBeGreaterThanOrEqual(0)
          expect(next[name].level).toBeLessThanOrEqual(lowest)
          const moved = next[name].level - state[name].level
          expect(Math.abs(moved)).toBeLessThanOrEqual(name === 'network' ? 2 : 1)
        }
        state = next
      }
    }),
  )
})

test('under steady conditions each level changes at most four times in any sixty readings', () => {
  fc.assert(
    fc.property(anySample, anyPage, fc.integer({ min: 0, max: 400_000 }), (given, page, bytes) => {
      let state = governorStart
      const states = Array.from({ length: 600 }, (_, index) => {
        const packetsLost = index * given.packetsLost
        state = stepGovernor(state, sampleAt(index, { ...given, packetsLost, bytesSent: index * bytes }), page)
        return state
      })
      const { network, device } = levelsOf(states)
      expect(mostChanges(network)).toBeLessThanOrEqual(4)
      expect(mostChanges(device)).toBeLessThanOrEqual(4)
    }),
    {
      // A round trip that counts as a full queue, and an estimate that shows room.
      examples: [
        [{ remoteLoss: null, roundTripMs: 1_301, availableKbps: 131, limitedBy: 'none', packetsLost: 0 }, seen, 9_826],
      ],
    },
  )
})

test('on any link each level changes at most four times in any sixty readings, and a wide link gets the free picture', () => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 6_000 }), (linkKbps) => {
      let state = governorStart
      let bytesSent = 0
      const states = Array.from({ length: 600 }, (_, index) => {
        const { noPicture, maxKbps, soundKbps } = limitsOf(state, 'best', false, null)
        // Redundancy doubles the sound.
        const wantedKbps = (noPicture ? 0 : maxKbps) + 2 * soundKbps
        const sentKbps = Math.min(wantedKbps, linkKbps)
        bytesSent += (sentKbps * 1_000) / 8
        // Congestion control looks for little more than what is sent.
        const availableKbps = Math.min(linkKbps, Math.max(wantedKbps * 2, 10))
        const limitedBy = wantedKbps > linkKbps ? 'bandwidth' : 'none'
        state = stepGovernor(state, sampleAt(index, { bytesSent, availableKbps, limitedBy }), seen)
        return state
      })
      expect(mostChanges(levelsOf(states).network)).toBeLessThanOrEqual(4)
      if (linkKbps > 200) expect(state.network.level).toBe(networkSteps.wide)
      if (linkKbps < 20) expect(levelsOf(states).network).toContain(networkSteps.soundOnly)
    }),
  )
})

test('while the peer sends sound only, its lost packets are those that count', () => {
  let state = governorStart
  for (let index = 0; index < 20; index += 1) {
    const given = { packetsReceived: 0, packetsLost: 0, audioPacketsReceived: index * 20, audioPacketsLost: index * 3 }
    state = stepGovernor(state, sampleAt(index, given), seen)
  }
  expect(state.loss.in).toBeGreaterThan(0.1)
  expect(state.loss.delayMs).not.toBeNull()
})
