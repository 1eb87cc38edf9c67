import { describe, expect, test } from 'vitest'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { type GovernorState, governorStart, isAtBest, stepGovernor } from '../../../../src/call/rules/governor.ts'
import { networkSteps, SLOWEST_DEVICE } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'

type Moment = { given?: Partial<CallSample>; hidden?: boolean }

/** Follows the moments one second apart, after the readings that a governor ignores at the start of a call. */
function follow(moments: readonly Moment[], start: Partial<CallSample> = {}): GovernorState[] {
  let state = governorStart
  const early = Array.from({ length: governorStart.settling + 1 }, (): Moment => ({ given: start }))
  const states = [...early, ...moments].map(({ given = {}, hidden = false }, index) => {
    state = stepGovernor(state, sampleAt(index, given), { hidden, longTaskMs: 0, ceilingKbps: null })
    return state
  })
  return states.slice(early.length)
}

const seconds = (count: number, moment: Moment = {}) => Array.from({ length: count }, () => moment)
const at = (roundTripMs: number): Moment => ({ given: { roundTripMs } })
const last = (moments: readonly Moment[], start?: Partial<CallSample>) => follow(moments, start).at(-1) ?? governorStart
const barsOf = (states: readonly GovernorState[]) => states.map(({ signal }) => signal.bars)

/** Round trips that cost no bar, one and two. */
const good = at(60)
const fair = at(350)
const weak = at(700)

describe('the signal', () => {
  test.each<[string, Partial<CallSample>, Partial<CallSample>, 1 | 2]>([
    ['a queue', {}, { roundTripMs: 550 }, 1],
    ['a long round trip', { roundTripMs: 350 }, { roundTripMs: 350 }, 2],
    ['an estimate that carries little', { availableKbps: 700 }, { limitedBy: 'bandwidth', availableKbps: 200 }, 2],
    ['some loss at the peer', {}, { remoteLoss: 0.05 }, 2],
    ['heavy loss at the peer', {}, { remoteLoss: 0.3 }, 1],
  ])('of %s is of a weak network', (_, start, given, bars) => {
    expect(last(seconds(10, { given }), start).signal).toEqual({ bars, reason: 'weak-network' })
  })

  test('of some loss of the peer’s packets is of the peer’s network, of heavy loss weaker', () => {
    const signalOf = (lost: number) =>
      last(Array.from({ length: 30 }, (_, index) => ({ given: { packetsLost: index * lost } }))).signal
    expect(signalOf(12)).toEqual({ bars: 2, reason: 'peer-network' })
    expect(signalOf(60)).toEqual({ bars: 1, reason: 'peer-network' })
  })

  test('of a slow device is weakest at its last step', () => {
    const states = follow(seconds(30, { given: { limitedBy: 'cpu' } }))
    const barsAt = (level: number) => new Set(barsOf(states.filter(({ device }) => device.level === level).slice(3)))
    expect(barsAt(SLOWEST_DEVICE)).toEqual(new Set([1]))
    expect(states.at(-1)?.signal.reason).toBe('slow-device')
  })

  test('does not follow readings that contradict each other', () => {
    const turns = Array.from({ length: 20 }, (_, index) => (index % 2 ? weak : good))
    expect(new Set(barsOf(follow(turns)))).toEqual(new Set([3]))
  })

  test('falls with the second reading, whatever was before', () => {
    expect(barsOf(follow([good, weak, weak]))).toEqual([3, 3, 1])
    expect(barsOf(follow([...seconds(3, fair), ...seconds(3), ...seconds(2, weak)])).at(-1)).toBe(1)
  })

  test('rises only after several readings, whatever was before', () => {
    expect(barsOf(follow([...seconds(5, weak), ...seconds(6)])).slice(5)).toEqual([1, 1, 1, 3, 3, 3])
    const worse = follow([...seconds(5, fair), weak, ...seconds(4)])
    expect(barsOf(worse).slice(5)).toEqual([2, 2, 2, 2, 3])
  })

  test('that has changed needs as many readings for the next change', () => {
    expect(barsOf(follow([...seconds(2, fair), weak, weak]))).toEqual([3, 2, 2, 1])
  })

  test('does not add readings from before the page was hidden to those after it', () => {
    const hidden = seconds(5, { hidden: true })
    const settling = seconds(governorStart.settling)
    expect(barsOf(follow([weak, ...hidden, ...settling, weak, good])).at(-2)).toBe(3)
  })
})

describe('a page that was hidden', () => {
  const before = seconds(10)
  const hidden = (given: Partial<CallSample>) => seconds(10, { hidden: true, given })

  test('does not judge the network by its first seconds', () => {
    const stale = seconds(governorStart.settling, { given: { limitedBy: 'bandwidth', availableKbps: 15 } })
    const states = follow([...before, ...hidden({}), ...stale, ...seconds(10)])
    expect(new Set(states.map(({ network }) => network.level))).toEqual(new Set([networkSteps.wide]))
  })

  test('does not count what was lost meanwhile', () => {
    const { loss } = last([...before, ...hidden({ packetsLost: 3_000 }), { given: { packetsLost: 3_000 } }])
    expect(loss.in).toBe(0)
  })
})

test('after a step the readings that still show the time before are not counted', () => {
  const states = follow(seconds(20, { given: { limitedBy: 'bandwidth', availableKbps: 15 } }))
  const steps = states.flatMap(({ network }, index) =>
    network.level === (states[index - 1]?.network.level ?? networkSteps.wide) ? [] : [index],
  )
  expect(steps.length).toBeGreaterThan(1)
  // Two bad readings would be enough.
  for (const [index, step] of steps.slice(1).entries()) expect(step - (steps[index] ?? 0)).toBeGreaterThan(3)
})

test.each<[string, Partial<CallSample>, boolean]>([
  ['calm', {}, true],
  ['losing packets', { remoteLoss: 0.06 }, false],
  ['queueing', { roundTripMs: 300 }, false],
])('a network that fell is measured anew while it is calm (%s)', (_, given, isMeasured) => {
  const { recovery } = last([...seconds(10), ...seconds(12, { given: { availableKbps: 600, ...given } })])
  expect(recovery.asked > 0).toBe(isMeasured)
})

test('a call is at its best only if nothing is reduced, and nothing is about to be', () => {
  const best = last(seconds(20))
  expect(isAtBest(best)).toBe(true)
  const { device, network, loss } = best
  const reduced: Partial<GovernorState>[] = [
    { device: { ...device, level: 1 } },
    { device: { ...device, bad: 1 } },
    { network: { ...network, level: networkSteps.narrow } },
    { network: { ...network, bad: 1 } },
    { signal: { bars: 2, reason: 'peer-network' } },
    { loss: { ...loss, delayMs: 200 } },
  ]
  for (const part of reduced) expect(isAtBest({ ...best, ...part })).toBe(false)
})
