import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PeerStatus, parsePeerStatus } from '#protocol/peer.ts'
import { type CallCause, causeOf, noCause, stepCause, weakness, withCause } from '../../src/domain/call-cause.ts'
import {
  type CallSample,
  type GovernorState,
  governorStart,
  type Signal,
  stepGovernor,
} from '../../src/domain/governor.ts'
import { acceptedMedia } from '../../src/domain/send-ladder.ts'
import { sampleAt } from '../support/call/call-sample.ts'
import { callSeries } from '../support/call/call-series.ts'

const accepts = acceptedMedia(governorStart, 'best')
const heardOf = (given: Partial<PeerStatus>): PeerStatus => ({ noPicture: null, stills: false, accepts, ...given })

type Given = { sample?: Partial<CallSample>; out?: number; shortestMs?: number }
function stateOf(signal: Signal, { sample = {}, out = 0, shortestMs = 60 }: Given = {}): GovernorState {
  return {
    ...governorStart,
    signal,
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

test.each([
  ['good', 'good'],
  ['slow-cpu', 'slow-device'],
  ['loss15', 'lossy-network'],
  ['satellite', 'long-way'],
] as const)('the recorded call %s has mostly the cause %s', (name, expected) => {
  let governor = governorStart
  let state = noCause
  const found = callSeries(name).map(({ sample, page }) => {
    governor = stepGovernor(governor, sample, page)
    state = stepCause(state, governor, null)
    return state.cause
  })
  const counts = Map.groupBy(found.slice(10), (cause) => cause)
  expect([...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0]).toBe(expected)
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
  expect([weak, good, fromPeer, { bars: 2, reason: 'slow-device' } as const].map(weakness)).toEqual([
    'network',
    undefined,
    undefined,
    'device',
  ])
  expect(parsePeerStatus(JSON.stringify(heardOf({ weak: 'device' }))).weak).toBe('device')
  expect(parsePeerStatus(JSON.stringify({ ...heardOf({}), weak: 'mood' })).weak).toBeUndefined()
})
