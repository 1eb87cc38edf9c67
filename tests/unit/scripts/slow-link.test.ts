import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSlowLink, type LinkSpeed, PACKET_BYTES } from '../../bench/start/slow-link.ts'

/** A full packet takes 100 ms. */
const SLOW: LinkSpeed = { kbitPerSecond: (PACKET_BYTES * 8) / 100, delayMs: 50 }

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

/** A link whose arrivals are noted with their time. */
function linkOf(speed: LinkSpeed | null) {
  const limits = { speed }
  const link = createSlowLink(() => limits.speed)
  const arrived: string[] = []
  return {
    limits,
    arrived,
    send(flow: object, name: string, bytes = PACKET_BYTES): void {
      link.send(flow, bytes, () => arrived.push(`${name} at ${performance.now()}`))
    },
  }
}

const flow = {}

test('without limits everything arrives at once, in order', () => {
  const { arrived, send } = linkOf(null)
  for (const name of ['a', 'b', 'c']) send(flow, name, 1_000_000)
  expect(arrived).toEqual(['a at 0', 'b at 0', 'c at 0'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a packet arrives after its time on the link and the delay, not before', () => {
  const { arrived, send } = linkOf(SLOW)
  send(flow, 'a')
  vi.advanceTimersByTime(149)
  expect(arrived).toEqual([])
  vi.advanceTimersByTime(1)
  expect(arrived).toEqual(['a at 150'])
})

test('packets follow at the rate of the link, and the delay counts once', () => {
  const { arrived, send } = linkOf(SLOW)
  for (const name of ['a', 'b', 'c', 'd']) send(flow, name)
  vi.runAllTimers()
  expect(arrived).toEqual(['a at 150', 'b at 250', 'c at 350', 'd at 450'])
})

test('a smaller part takes less time, and an empty one none', () => {
  const { arrived, send } = linkOf(SLOW)
  send(flow, 'a')
  send(flow, 'half', PACKET_BYTES / 2)
  send(flow, 'end', 0)
  vi.runAllTimers()
  expect(arrived).toEqual(['a at 150', 'half at 200', 'end at 200'])
})

test('flows share the rate and take turns, each in its own order', () => {
  const { arrived, send } = linkOf(SLOW)
  const [page, worker] = [{}, {}]
  for (const name of ['p1', 'p2', 'p3', 'p4']) send(page, name)
  for (const name of ['w1', 'w2']) send(worker, name)
  vi.runAllTimers()
  expect(arrived).toEqual(['p1 at 150', 'p2 at 250', 'w1 at 350', 'p3 at 450', 'w2 at 550', 'p4 at 650'])
})

test('an idle link saves nothing up', () => {
  const { arrived, send } = linkOf(SLOW)
  vi.advanceTimersByTime(10_000)
  for (const name of ['a', 'b']) send(flow, name)
  vi.runAllTimers()
  expect(arrived).toEqual(['a at 10150', 'b at 10250'])
})

test('limits that change apply to what follows, which overtakes nothing', () => {
  const { arrived, limits, send } = linkOf(SLOW)
  send(flow, 'slow')
  limits.speed = null
  send(flow, 'fast')
  vi.runAllTimers()
  limits.speed = SLOW
  send(flow, 'slow again')
  vi.runAllTimers()
  expect(arrived).toEqual(['slow at 150', 'fast at 150', 'slow again at 300'])
})

test('what an arrival sends takes its turn behind what waits', () => {
  const link = createSlowLink(() => ({ ...SLOW, delayMs: 0 }))
  const order: string[] = []
  link.send(flow, PACKET_BYTES, () => {
    order.push('first')
    link.send(flow, PACKET_BYTES, () => order.push(`answer at ${performance.now()}`))
  })
  link.send(flow, PACKET_BYTES, () => order.push(`second at ${performance.now()}`))
  vi.runAllTimers()
  expect(order).toEqual(['first', 'second at 200', 'answer at 300'])
})
