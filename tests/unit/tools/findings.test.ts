import { expect, test } from 'vitest'
import type { Span } from '#workers/trace.ts'
import { CLOSING_MS, findingsOf, type Measured, type Places } from '../../../src/tools/recorder/findings.ts'
import { createTally } from '../../../src/tools/recorder/limited.ts'
import { createSpanPlaces } from '../../../src/tools/recorder/places.ts'

const none: Places = {
  'worker-task': [],
  'lost-message': [],
  'late-chunk': [],
  'leaked-listener': [],
  'slow-relay': [],
  'blocked-udp': [],
  'stuck-queue': [],
  'slow-provider': [],
}

/** A visit in which nothing is wrong, though a busy machine was slow once or twice. */
const healthy: Measured = {
  places: {
    ...none,
    'worker-task': [{ where: 'captureFrame', count: 2, worst: 140 }],
    'leaked-listener': [{ where: 'window online: woken', count: 2, worst: 2 }],
    'stuck-queue': [{ where: 'connectNetwork', count: 1, worst: 900 }],
  },
  alive: { peerConnections: 0, tracks: 0, workers: 2, objectUrls: 1, listeners: 3 },
  screenMs: CLOSING_MS,
}

const kindsOf = (measured: Measured) => findingsOf(measured).map(({ kind }) => kind)

test('a healthy visit has no finding', () => {
  expect(findingsOf(healthy)).toEqual([])
})

test.for<[keyof Places, { count: number; worst: number }]>([
  ['worker-task', { count: 3, worst: 101 }],
  ['lost-message', { count: 1, worst: 15_003 }],
  ['late-chunk', { count: 1, worst: 2_001 }],
  ['leaked-listener', { count: 3, worst: 3 }],
  ['slow-relay', { count: 1, worst: 1_501 }],
  ['blocked-udp', { count: 1, worst: 1 }],
  ['stuck-queue', { count: 3, worst: 1_001 }],
  ['slow-provider', { count: 1, worst: 1_001 }],
])('%s is found at its place, and nothing else', ([kind, place]) => {
  const places = { ...none, [kind]: [{ where: 'here', ...place }] }
  const [found, ...others] = findingsOf({ ...healthy, places })
  expect(found).toMatchObject({ kind, where: 'here', count: place.count, measured: place.worst })
  expect(found?.limit).toBeLessThan(place.worst)
  expect(others).toEqual([])
})

test('what a call has left is found, once there was time to close it', () => {
  const left = { ...healthy, alive: { ...healthy.alive, tracks: 2, peerConnections: 1 } }
  expect(kindsOf(left)).toEqual(['leaked-track', 'leaked-connection'])
  expect(kindsOf({ ...left, screenMs: CLOSING_MS - 1 })).toEqual([])
})

test('the worst place of a kind comes first', () => {
  const chunks = [
    { where: 'welcome', count: 1, worst: 2_200 },
    { where: 'call', count: 1, worst: 4_000 },
  ]
  const found = findingsOf({ ...healthy, places: { ...none, 'late-chunk': chunks } })
  expect(found.map(({ where }) => where)).toEqual(['call', 'welcome'])
})

const span = (track: Span['track'], label: string, start: number, end: number): Span => ({ track, label, start, end })

function placesOf(spans: readonly Span[]): Places {
  const places = createSpanPlaces()
  for (const one of spans) places.take(one)
  return { ...none, ...places.places() }
}

test('requests that wait for an idle worker are a stuck queue; those that wait for a busy one are not', () => {
  const waits = [1, 2, 3].map((id) => span('Workers', `queue request #${id}`, id * 10, 2_000))
  expect(findingsOf({ ...healthy, places: placesOf(waits) })).toEqual([
    { kind: 'stuck-queue', where: 'request', count: 3, measured: 1_990, limit: 1_000 },
  ])
  const tasks = [0, 1, 2, 3].map((id) => span('Workers', `task request #${id}`, id * 500, id * 500 + 490))
  expect(findingsOf({ ...healthy, places: placesOf([...waits, ...tasks]) }).map(({ kind }) => kind)).toEqual([
    'worker-task',
  ])
})

test('spans name an invocation without a completion, and a provider that takes long', () => {
  const places = placesOf([
    span('Hub', 'SendOffer', 0, 400),
    span('Hub', 'unanswered KeepAlive [3f2a1b]', 0, 15_002),
    span('Sign-in', "window's message", 0, 40),
    span('Sign-in', 'user info', 100, 3_100),
  ])
  expect(findingsOf({ ...healthy, places })).toMatchObject([
    { kind: 'lost-message', where: 'KeepAlive', measured: 15_002 },
    { kind: 'slow-provider', where: 'user info', measured: 3_000 },
  ])
})

test('a tally keeps a limited number of places', () => {
  const tally = createTally()
  for (let made = 0; made < 500; made += 1) tally.add(`place ${made}`, made)
  tally.add('place 3', 900)
  expect(tally.places()).toHaveLength(100)
  expect(tally.places()[3]).toEqual({ where: 'place 3', count: 2, worst: 900 })
})
