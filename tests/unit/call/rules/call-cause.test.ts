import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PeerStatus, parsePeerStatus } from '#protocol/peer.ts'
import {
  type CallCause,
  causeOf,
  noCause,
  stepCause,
  weakness,
  withCause,
} from '../../../../src/call/rules/call-cause.ts'
import type { CallSample } from '../../../../src/call/rules/call-reading.ts'
import { type GovernorState, governorStart, type Signal, stepGovernor } from '../../../../src/call/rules/governor.ts'
import { acceptedMedia } from '../../../../src/call/rules/send-ladder.ts'
import { sampleAt } from '../../../support/call/call-sample.ts'
import { callSeries } from '../../../support/call/call-series.ts'

const accepts = acceptedMedia(governorStart, 'best')
const heardOf = (given: Partial<PeerStatus>): PeerStatus => ({ noPicture: null, stills: false, accepts, ...given })

type Given = { sample?: Partial<CallSample>; out?: number; shortestMs?: number; deviceLevel?: number }
function stateOf(
  signal: Signal,
  { sample = {}, out = 0, shortestMs = 60, deviceLevel = 0 }: Given = {},
): GovernorState {
  return {
    ...governorStart,
    signal,
    device: { ...governorStart.device, level: deviceLevel },
    last: sampleAt(1, sample),
    loss: { ...governorStart.loss, out },
    path: { sentKbps: 1_000, roundTripMs: shortestMs },
  }
}

const weak: Signal = { bars: 1, reason: 'weak-network' }
const good: Signal = { bars: 3, reason: 'good' }
const fromPeer: Signal = { bars: 2, reason: 'peer-network' }
const blocked = { isRelayed: true, isUdpBlocked: true }

describe('the cause of', () => {
  test.each<[string, Signal, Given, PeerStatus | null, CallCause]>([
    ['a weak network over TCP alone', weak, { sample: blocked }, null, 'udp-blocked'],
    ['stills over TCP alone', { bars: 1, reason: 'stills' }, { sample: blocked }, null, 'udp-blocked'],
    ['a queue', weak, { sample: { roundTripMs: 700 } }, null, 'slow-network'],
    ['a queue that also loses', weak, { sample: { roundTripMs: 700 }, out: 0.2 }, null, 'slow-network'],
    ['loss alone', weak, { out: 0.05 }, null, 'lossy-network'],
    ['a long way', weak, { sample: { roundTripMs: 620 }, shortestMs: 600 }, null, 'long-way'],
    [
      'a long and narrow way',
      weak,
      { sample: { roundTripMs: 620, availableKbps: 90 }, shortestMs: 600 },
      null,
      'slow-network',
    ],
    ['a device that lowers its picture, seen as a weak network', weak, { deviceLevel: 2 }, null, 'slow-device'],
    ['a slow device in a queue', weak, { sample: { roundTripMs: 700 }, deviceLevel: 2 }, null, 'slow-network'],
    ['stills', { bars: 1, reason: 'stills' }, {}, null, 'stills'],
    ['sound only', { bars: 1, reason: 'sound-only' }, {}, null, 'sound-only'],
    ['a slow device, also over TCP', { bars: 2, reason: 'slow-device' }, { sample: blocked }, null, 'slow-device'],
    ['a peer that says that its device is slow', good, {}, heardOf({ weak: 'device' }), 'peer-device'],
    ['a peer that says that its network is slow', good, {}, heardOf({ weak: 'network' }), 'peer-network'],
    ['an earlier client that sends stills', good, {}, heardOf({ stills: true }), 'peer-network'],
    ['a peer that chose sound only', good, {}, heardOf({ noPicture: 'choice' }), 'good'],
    ['loss from a peer with a slow network', fromPeer, {}, heardOf({ weak: 'network' }), 'peer-network'],
    ['loss from a peer with a slow device', fromPeer, {}, heardOf({ weak: 'device' }), 'peer-loss'],
    ['loss from a peer that says nothing', fromPeer, {}, null, 'peer-loss'],
    ['a good call over TCP alone', good, { sample: blocked }, null, 'good'],
  ])('%s', (_, signal, given, heard, cause) => {
    expect(causeOf(stateOf(signal, given), heard)).toBe(cause)
  })
})

/** Readings at the start of a call, in which nothing is known yet. */
const STARTING = 10

function causesOf(name: Parameters<typeof callSeries>[0]): CallCause[] {
  let governor = governorStart
  let state = noCause
  return callSeries(name).map(({ sample, page }) => {
    governor = stepGovernor(governor, sample, page)
    state = stepCause(state, governor, null)
    return state.cause
  })
}

/** The share of the causes that are one of these. */
function share(causes: readonly CallCause[], of: readonly CallCause[]): number {
  return causes.filter((cause) => of.includes(cause)).length / causes.length
}

const network: CallCause[] = ['slow-network', 'lossy-network', 'long-way', 'stills', 'sound-only']

/** The cause that a reader of the recording would name, or each of several where the network has several faults. */
const recorded = [
  ['slow-cpu', ['slow-device']],
  ['loss15', ['lossy-network']],
  ['satellite', ['long-way']],
  ['half', ['slow-network']],
  ['edge', ['slow-network', 'stills', 'sound-only']],
  ['narrow', ['slow-network', 'lossy-network', 'stills', 'sound-only']],
  ['3g', ['slow-network', 'long-way']],
  ['wifi', ['slow-network', 'long-way']],
  // Both directions lose packets, and the peer's loss counts where the own is small.
  ['lossy-mobile', ['lossy-network', 'peer-loss']],
  ['loss5', ['lossy-network', 'peer-loss']],
  ['bursts', ['lossy-network', 'peer-loss']],
] as const

test.each(recorded)('the recorded call %s is explained by %s in nine of ten readings', (name, expected) => {
  expect(share(causesOf(name).slice(STARTING), expected)).toBeGreaterThan(name === 'wifi' ? 0.8 : 0.9)
})

test.each([
  ['congested-uplink', ['slow-network', 'lossy-network']],
  ['recovery', ['slow-network', 'lossy-network']],
  ['drop', ['slow-network']],
] as const)('in the recorded call %s, which is bad for a while, only %s is named', (name, expected) => {
  const named = causesOf(name).filter((cause) => cause !== 'good')
  expect(named.length).toBeGreaterThan(0)
  expect(share(named, expected)).toBe(1)
})

test('no bad network is taken for a slow device or for the peer, and no slow device for a network', () => {
  for (const name of ['half', 'edge', 'narrow', '3g', 'wifi', 'drop', 'loss15', 'satellite'] as const)
    expect([name, share(causesOf(name), [...network, 'good'])]).toEqual([name, 1])
  for (const name of ['loss5', 'bursts', 'lossy-mobile'] as const)
    expect([name, share(causesOf(name), ['slow-device', 'peer-device', 'peer-network'])]).toEqual([name, 0])
  expect(share(causesOf('slow-cpu'), network)).toBe(0)
})

test.each(['good', 'clean'] as const)('the recorded call %s names nothing in 99 of 100 readings', (name) => {
  expect(share(causesOf(name), ['good'])).toBeGreaterThanOrEqual(0.99)
})

const anySignal = fc.record<Signal>({
  bars: fc.constantFrom(0, 1, 2, 3),
  reason: fc.constantFrom('good', 'weak-network', 'stills', 'sound-only', 'slow-device', 'peer-network'),
})
const anyHeard = fc.option(
  fc.record({
    noPicture: fc.constantFrom(null, 'network', 'choice', 'peer'),
    stills: fc.boolean(),
    weak: fc.constantFrom(undefined, 'device', 'network'),
    accepts: fc.constant(accepts),
  }),
)
const anyState = fc
  .tuple(anySignal, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3_000), fc.nat(3_000))
  .map(([signal, isUdpBlocked, out, roundTripMs, shortestMs]) =>
    stateOf(signal, { sample: { isUdpBlocked, roundTripMs }, out, shortestMs }),
  )

test('the own side is blamed only where its own readings are bad, whatever a hostile peer says', () => {
  fc.assert(
    fc.property(anyState, anyHeard, (state, heard) => {
      const isOwn = !['good', 'peer-network'].includes(state.signal.reason)
      const cause = causeOf(state, heard as PeerStatus | null)
      expect(cause !== 'good' && !cause.startsWith('peer-')).toBe(isOwn)
    }),
  )
})

test('a cause changes with the signal at once, else after three equal readings', () => {
  const lossy = stateOf(weak, { out: 0.1 })
  const slow = stateOf(weak, { sample: { roundTripMs: 900 } })
  const causes: CallCause[] = []
  let state = noCause
  for (const each of [lossy, slow, lossy, slow, slow, slow, stateOf(good)]) {
    state = stepCause(state, each, null)
    causes.push(state.cause)
  }
  expect(causes.join(' ')).toBe(
    'lossy-network lossy-network lossy-network lossy-network lossy-network slow-network good',
  )
})

test('the list has every change once, no address, and at most fifty entries', () => {
  const state = stateOf(weak, { sample: { at: 7_000, ...blocked } })
  const [entry, ...more] = withCause(withCause([], 'udp-blocked', state), 'udp-blocked', state)
  expect(entry).toEqual({ at: 7_000, cause: 'udp-blocked', bars: 1, isRelayed: true })
  expect(more).toEqual([])
  expect(withCause([], 'good', state)).toEqual([])
  const changes = Array.from({ length: 120 }, (_, index): CallCause => (index % 2 ? 'good' : 'slow-network'))
  expect(changes.reduce((list, cause) => withCause(list, cause, state), withCause([], 'good', state))).toHaveLength(50)
})

test('the peer is told of an own weakness; an unknown one of a newer client is none', () => {
  const causes = ['slow-network', 'udp-blocked', 'good', 'peer-loss', 'peer-device', 'slow-device'] as const
  expect(causes.map(weakness)).toEqual(['network', 'network', undefined, undefined, undefined, 'device'])
  expect(parsePeerStatus(JSON.stringify(heardOf({ weak: 'device' }))).weak).toBe('device')
  expect(parsePeerStatus(JSON.stringify({ ...heardOf({}), weak: 'mood' })).weak).toBeUndefined()
})
