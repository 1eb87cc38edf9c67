import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Span } from '#workers/trace.ts'
import { waterfallOf } from '../../../src/tools/recorder/calls.ts'
import { createRing } from '../../../src/tools/recorder/limited.ts'
import { createRequestTable, percentile } from '../../../src/tools/recorder/requests.ts'

const span = (track: Span['track'], label: string, start: number, end: number): Span => ({ track, label, start, end })

/** A press at 1000, a match at 1500 and a first frame at 2400, in the order of their ends; the labels have the match's id, as under ?trace. */
const call = [
  span('Call setup', 'camera', 300, 900),
  span('Call setup', 'camera', 1_060, 1_150),
  span('Match', 'prepare', 1_050, 1_200),
  span('Match', 'search', 1_200, 1_500),
  span('Call setup', 'ICE [4f2a]', 1_520, 2_200),
  span('Call setup', 'DTLS', 2_200, 2_250),
  span('Match', 'to the picture', 1_500, 2_300),
  span('Call setup', 'first frame', 2_300, 2_400),
  span('Hub', 'KeepAlive', 2_500, 2_600),
]

test('a ring keeps the last items in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (items, size) => {
      const ring = createRing<number>(size)
      for (const item of items) ring.add(item)
      expect(ring.items()).toEqual(items.slice(-size))
    }),
  )
})

test('a percentile is the smallest value that the share does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([percentile(hundred, 0.5), percentile(hundred, 0.95)]).toEqual([50, 95])
  expect([percentile([7], 0.95), percentile([], 0.5)]).toEqual([7, 0])
})

test('requests to workers are counted by method, each part by itself', () => {
  const table = createRequestTable()
  for (const [index, work] of [10, 20, 30].entries()) {
    table.take(`queue request #${index}`, 1)
    table.take(`work request #${index}`, work)
    table.take(`reply request #${index}`, -0.2)
    table.take(`request #${index}`, work + 1)
  }
  table.take('queue encodeChat #1', 4)
  expect(table.rows()).toEqual([
    { method: 'request', count: 3, queue: { p50: 1, p95: 1 }, work: { p50: 20, p95: 30 }, reply: { p50: 0, p95: 0 } },
    { method: 'encodeChat', count: 1, queue: { p50: 4, p95: 4 }, work: { p50: 0, p95: 0 }, reply: { p50: 0, p95: 0 } },
  ])
})

test('a waterfall goes from the press to the first frame and names the slowest step', () => {
  const waterfall = waterfallOf(call, [200, 1_000, 1_900])
  expect(waterfall).toMatchObject({ start: 1_000, ms: 1_400, isComplete: true })
  expect(waterfall?.steps.map(({ label, start }) => [label, start])).toEqual([
    ['press', 0],
    ['prepare', 50],
    ['camera', 60],
    ['search', 200],
    ['to the picture', 500],
    ['ICE', 520],
    ['DTLS', 1_200],
    ['first frame', 1_300],
  ])
  expect(waterfall?.slowest).toMatchObject({ label: 'ICE', ms: 680 })
})

test('a long search does not hide the slowest step after the match', () => {
  const waited = call.map((one) => (one.label === 'search' ? { ...one, start: 200 } : one))
  const waterfall = waterfallOf(waited, [])
  expect(waterfall).toMatchObject({ start: 200, slowest: { label: 'search' }, slowestAfterMatch: { label: 'ICE' } })
})

test('a waterfall has the causes of its call, which are no steps of it', () => {
  const causes = [span('Match', 'cause: udp-blocked [4f2a]', 2_350, 2_360), span('Match', 'cause: good', 9_000, 9_001)]
  const waterfall = waterfallOf([span('Match', 'cause: peer-loss', 900, 901), ...call, ...causes], [1_000])
  expect(waterfall?.causes).toEqual([
    { cause: 'udp-blocked', start: 1_350 },
    { cause: 'good', start: 8_000 },
  ])
  expect(waterfall).toMatchObject({ ms: 1_400 })
  expect(waterfall?.steps.filter(({ label }) => label.startsWith('cause'))).toEqual([])
})

test('a part that took most of the preparation is the slow step', () => {
  const slowCamera = [
    span('Call setup', 'camera', 1_060, 5_000),
    span('Match', 'prepare', 1_050, 5_100),
    span('Match', 'search', 5_100, 5_200),
    span('Call setup', 'first frame', 5_300, 5_400),
  ]
  expect(waterfallOf(slowCamera, [1_000])?.slowest).toMatchObject({ track: 'Call setup', label: 'camera' })
})

test('a late press, such as by a chunk that loads slowly, is a step of its own', () => {
  expect(waterfallOf(call, [200])?.slowest).toMatchObject({ label: 'press', ms: 850 })
})

test('a match without a first frame is incomplete, and without a search there is no waterfall', () => {
  expect(waterfallOf(call.slice(0, 6), [])).toMatchObject({ isComplete: false, start: 1_050, ms: 1_200 })
  expect(waterfallOf(call.slice(0, 2), [])).toBeNull()
})
