import { signal } from '@preact/signals-react'
import { expect, test } from 'vitest'
import type { CallSample, Conditions } from '../../../src/call/rules/call-reading.ts'
import { governorStart, judge, stepGovernor } from '../../../src/call/rules/governor.ts'
import { decisionsOf } from '../../../src/call/rules/governor-reasons.ts'
import { createQualityStore } from '../../../src/call/state/quality.ts'
import { drawLimits, drawStep } from '../../../src/tools/tracks/call-tracks.ts'
import { sampleAt } from '../../support/call/call-sample.ts'
import { silentLog } from '../../support/silent-log.ts'
import { drawnStamps } from '../../support/stamps.ts'

const shown: Conditions = { hidden: false, longTaskMs: 0, ceilingKbps: null }
const BESIDES = new Set(['Governor'])

/** The decisions of a call without trouble but for what is given for each second. */
function decisions(seconds: number, given: (second: number) => Partial<CallSample>, conditions = shown): string[] {
  let state = governorStart
  return Array.from({ length: seconds }, (_, second) => {
    const sample = sampleAt(second + 1, given(second + 1))
    const before = state
    state = stepGovernor(before, sample, conditions)
    return decisionsOf({ before, after: state, sample, judgement: judge(before, sample, conditions) })
  }).flat()
}

function qualityStore() {
  return createQualityStore({
    page: { hidden: () => false, onVisibility: () => {}, takeLongTaskMs: () => 0 },
    log: silentLog(),
    choice: signal('best'),
    hasCameraPicture: signal(true),
    relayKbps: 800,
    fitCamera: () => {},
    explained: () => {},
  })
}
const peer = {
  limit: async () => {},
  delayPlayback: () => {},
  tell: () => {},
  measure: () => {},
  restoreSize: async () => {},
}

test('the one reading a second becomes a point of each curve, from the reading before', () => {
  const stamps = drawnStamps()
  const store = qualityStore()
  store.follow({ stepped: drawStep, limited: drawLimits })
  store.take(sampleAt(1), peer)
  const lossy = { remoteLoss: 0.05, roundTripMs: 700, soundSamples: 96_000, concealedSamples: 2_400, packetsLost: 20 }
  store.take(sampleAt(2, lossy), peer)
  const curves = stamps.filter(({ track }) => !BESIDES.has(track))
  expect(curves.map(({ track, label, colour }) => [track, label, colour])).toEqual([
    ['Bitrate', '2500 kbit/s up, 2500 down, estimate 4000', 'primary-light'],
    ['Loss', '5.0 % up, 9.1 % down, sound 0.0 % down', 'primary-dark'],
    ['Round trip', '700 ms', 'error'],
    ['Frame rate', '30 sent, 30 shown, 0 dropped', 'primary-light'],
    ['Lines', '720 sent, 720 received, limited by none', 'primary-light'],
    ['Concealed sound', '5.0 %', 'primary-dark'],
  ])
  for (const { start, end, group } of curves) expect([start, end, group]).toEqual([1_000, 2_000, 'Chat'])
})

test('what the browser does not report has no point', () => {
  const stamps = drawnStamps()
  const [before, sample] = [1, 2].map((at) => sampleAt(at, { roundTripMs: null, soundSamples: 0 })) as [
    CallSample,
    CallSample,
  ]
  const state = { ...governorStart, last: before }
  drawStep({ before: state, after: stepGovernor(state, sample, shown), sample, judgement: judge(state, sample, shown) })
  expect(stamps.map(({ track }) => track)).toEqual(['Bitrate', 'Loss', 'Frame rate', 'Lines'])
})

test('a step of the network is drawn with the reading that caused it', () => {
  const [first, ...rest] = decisions(20, () => ({ limitedBy: 'bandwidth', availableKbps: 60, roundTripMs: 320 }))
  expect(first).toBe(
    'network from full picture to small picture: urgent, room 60 kbit/s, round trip 320 ms, queue 0 ms, loss of ours 0 %',
  )
  expect(rest).toContain('shows 1 of 3 bars: weak-network')
})

test('a network that is slow before anything is sent is drawn with its round trip', () => {
  expect(decisions(2, () => ({ bytesSent: 0, roundTripMs: 1_100 }))).toEqual([
    'network starts with stills: round trip 1100 ms',
  ])
})

test.each<[string, Partial<Conditions>, (second: number) => Partial<CallSample>]>([
  ['encoder limited by cpu', {}, () => ({ limitedBy: 'cpu' })],
  ['long tasks', { longTaskMs: 500 }, () => ({})],
  ['slow coding', {}, (second) => ({ encodeSeconds: second })],
  ['late frames', {}, (second) => ({ framesDropped: second * 20 })],
])('a step of the device is drawn with its reason: %s', (reason, conditions, given) => {
  const drawn = decisions(12, given, { ...shown, ...conditions })
  expect(drawn.find((label) => label.startsWith('device from step 0 to 1'))).toContain(`: ${reason} (`)
})

test('protection against loss is drawn with the share that was lost', () => {
  const drawn = decisions(30, (second) => ({ remoteLoss: 0.3, packetsLost: second * 20 }))
  const kinds = drawn.map((label) => label.split(':')[0])
  expect(kinds).toEqual(expect.arrayContaining(['layers 3', 'codec that stands loss', 'playback delay 200 ms']))
  for (const label of drawn.filter((each) => /^(layers|codec|playback)/.test(each)))
    expect(label).toMatch(/loss of .* \d+ %/)
})

test('a steady call and a hidden page decide nothing', () => {
  expect(decisions(30, () => ({}))).toEqual([])
  expect(decisions(5, () => ({ availableKbps: 10, limitedBy: 'bandwidth' }), { ...shown, hidden: true })).toEqual([])
})

test('what is sent at most is drawn when it changes', () => {
  const stamps = drawnStamps()
  const store = qualityStore()
  store.follow({ stepped: () => {}, limited: drawLimits })
  for (let second = 1; second < 4; second += 1) store.take(sampleAt(second), peer)
  expect(stamps.map(({ label }) => label)).toEqual([
    'sends at most 2500 kbit/s, 30 frames a second, size / 1.0, layers 1, sound 32 kbit/s',
  ])
})
