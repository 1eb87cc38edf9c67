import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Link } from '../../../scripts/links/links.ts'
import { createPipe } from '../../../scripts/links/pipe.ts'
import { createDice } from '../../support/dice.ts'
import { fakeClock } from '../../support/fake-clock.ts'

/** Bytes of a packet that take 1,000 bytes of the link's rate with their headers. */
const BYTES = 972
const fast: Link = { kbitPerSecond: 1_000_000, delayMs: 0, jitterMs: 0, loss: 0, burst: 1 }

type Arrival = { index: number; at: number }

/** A pipe in fake time. `send` numbers its packets from 0; `arrived` are those delivered so far. */
function openPipe(first: Partial<Link>, seed = 1) {
  const clock = fakeClock(1_000)
  const arrived: Arrival[] = []
  let link = { ...fast, ...first }
  let sent = 0
  const deliver = (packet: Buffer) => arrived.push({ index: packet.readUInt32BE(0), at: clock.now() })
  const pipe = createPipe(() => link, deliver, createDice(seed).next, clock)
  return {
    clock,
    arrived,
    close: pipe.close,
    change(next: Partial<Link>) {
      link = { ...fast, ...next }
    },
    send(count = 1) {
      for (let left = count; left > 0; left -= 1) {
        const packet = Buffer.alloc(BYTES)
        packet.writeUInt32BE(sent, 0)
        sent += 1
        pipe.take(packet)
      }
    },
    indices: () => arrived.map(({ index }) => index),
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sends `count` packets, one each `everyMs`, until all have arrived. Returns the delay of each that arrived. */
function delaysOf(link: Partial<Link>, { count, everyMs }: { count: number; everyMs: number }): number[] {
  const { clock, arrived, send } = openPipe(link)
  const start = clock.now()
  for (let left = count; left > 0; left -= 1) {
    send()
    clock.advance(everyMs)
  }
  clock.advance(10_000)
  return arrived.map(({ index, at }) => at - start - index * everyMs)
}

describe('rate', () => {
  test('in no stretch do more bytes arrive than the rate allows', () => {
    const { clock, arrived, send } = openPipe({ kbitPerSecond: 400, delayMs: 100 })
    const start = clock.now()
    for (let second = 0; second < 10; second += 1) {
      send(100)
      clock.advance(1_000)
    }
    // Each packet takes 20 ms.
    for (const [order, { at }] of arrived.entries()) {
      const before = arrived[order - 1]?.at ?? start + 100
      expect(at - before).toBeGreaterThanOrEqual(20 - 1e-6)
    }
    expect(arrived.length).toBe(10 * 21)
  })

  test('a link that is always offered more delivers all of its rate', () => {
    const { clock, arrived, send } = openPipe({ kbitPerSecond: 400 })
    for (let passed = 0; passed < 10_000; passed += 10) {
      send()
      clock.advance(10)
    }
    expect(arrived.length).toBe(10_000 / 20)
  })

  test('a packet alone takes its own time and the delay', () => {
    expect(delaysOf({ kbitPerSecond: 400, delayMs: 100 }, { count: 3, everyMs: 500 })).toEqual([120, 120, 120])
  })
})

describe('queue', () => {
  test.each([
    { kbitPerSecond: 400, held: 21, why: '400 ms, and the packet that is being sent' },
    { kbitPerSecond: 40, held: 13, why: '12,000 bytes, and the packet that is being sent' },
  ])('at $kbitPerSecond kbit/s a burst keeps $held packets: $why', ({ kbitPerSecond, held }) => {
    const { clock, indices, send } = openPipe({ kbitPerSecond })
    send(100)
    clock.advance(60_000)
    expect(indices()).toEqual(upTo(held))
  })

  test('when it has drained, packets are taken again', () => {
    const { clock, indices, send } = openPipe({ kbitPerSecond: 400 })
    send(30)
    clock.advance(1_000)
    send()
    clock.advance(1_000)
    expect(indices()).toEqual([...upTo(21), 30])
  })
})

test('packets arrive in the order in which they were sent, whatever the jitter and the changes', () => {
  const links = fc.record({
    kbitPerSecond: fc.integer({ min: 20, max: 10_000 }),
    delayMs: fc.integer({ min: 0, max: 300 }),
    jitterMs: fc.integer({ min: 0, max: 300 }),
    loss: fc.double({ min: 0, max: 0.5, noNaN: true }),
    burst: fc.integer({ min: 1, max: 8 }),
  })
  const steps = fc.array(fc.record({ link: links, count: fc.integer({ min: 1, max: 5 }), ms: fc.nat(50) }), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(steps, fc.integer(), (all, seed) => {
      const { clock, indices, change, send } = openPipe({}, seed)
      for (const { link, count, ms } of all) {
        change(link)
        send(count)
        clock.advance(ms)
      }
      clock.advance(60_000)
      expect(indices()).toEqual(indices().toSorted((one, other) => one - other))
      expect(clock.waiting()).toBe(0)
    }),
  )
})

describe('jitter', () => {
  test('each delay is within it, and delays use its whole width', () => {
    const delays = delaysOf({ delayMs: 100, jitterMs: 30 }, { count: 500, everyMs: 1_000 })
    expect(delays.length).toBe(500)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(70)
    expect(Math.min(...delays)).toBeLessThan(75)
    // The packet's own time is 8 microseconds.
    expect(Math.max(...delays)).toBeLessThanOrEqual(130.01)
    expect(Math.max(...delays)).toBeGreaterThan(125)
  })

  test('longer than the delay, it delivers no packet before the link has sent it', () => {
    const delays = delaysOf({ kbitPerSecond: 400, delayMs: 10, jitterMs: 60 }, { count: 500, everyMs: 1_000 })
    expect(Math.min(...delays)).toBe(20)
    expect(Math.max(...delays)).toBeGreaterThan(80)
  })
})

describe('loss', () => {
  const SENT = 50_000

  /** The share of packets that were lost, and the mean length of a row of losses. */
  function lossesOf(link: Partial<Link>): { share: number; burst: number } {
    const { clock, arrived, send } = openPipe(link)
    for (let sent = 0; sent < SENT; sent += 100) {
      send(100)
      clock.advance(1_000)
    }
    const rows = arrived.flatMap(({ index }, order) => {
      const missing = index - (arrived[order - 1]?.index ?? -1) - 1
      return missing > 0 ? [missing] : []
    })
    const lost = rows.reduce((sum, row) => sum + row, 0)
    return { share: lost / SENT, burst: lost / rows.length }
  }

  test('without loss all arrive', () => {
    expect(delaysOf({}, { count: 1_000, everyMs: 1 }).length).toBe(1_000)
  })

  test.each([0.01, 0.05, 0.15])('random loss of %d is this share, in rows no longer than chance makes them', (loss) => {
    const { share, burst } = lossesOf({ loss })
    expect(Math.abs(share - loss)).toBeLessThan(loss * 0.1)
    expect(Math.abs(burst - 1 / (1 - loss))).toBeLessThan(0.05)
  })

  test.each([
    { loss: 0.04, burst: 6 },
    { loss: 0.15, burst: 3 },
  ])('loss of $loss in bursts of $burst has this share and this mean length', ({ loss, burst }) => {
    const seen = lossesOf({ loss, burst })
    expect(Math.abs(seen.share - loss)).toBeLessThan(loss * 0.15)
    expect(Math.abs(seen.burst - burst)).toBeLessThan(burst * 0.1)
  })

  test('what is lost has taken its share of the rate', () => {
    const { clock, arrived, send } = openPipe({ kbitPerSecond: 400, loss: 0.5 })
    send(21)
    clock.advance(10_000)
    expect(arrived.length).toBeLessThan(21)
    for (const { index, at } of arrived) expect(at).toBeCloseTo(1_000 + (index + 1) * 20, 6)
  })
})

describe('a change', () => {
  test('applies to the next packet', () => {
    const { clock, arrived, change, send } = openPipe({ kbitPerSecond: 4_000, delayMs: 10 })
    send()
    clock.advance(1_000)
    change({ kbitPerSecond: 40, delayMs: 250 })
    send()
    clock.advance(1_000)
    change({ loss: 1 })
    send()
    clock.advance(1_000)
    expect(arrived).toEqual([
      { index: 0, at: 1_000 + 2 + 10 },
      { index: 1, at: 2_000 + 200 + 250 },
    ])
  })

  test('to a shorter delay does not let a packet overtake those on the way', () => {
    const { clock, arrived, change, send } = openPipe({ delayMs: 300 })
    send()
    change({ delayMs: 10 })
    send()
    clock.advance(1_000)
    expect(arrived.map(({ index }) => index)).toEqual([0, 1])
    expect(arrived[1]?.at).toBeCloseTo(1_300, 1)
  })
})

test('a closed pipe has no timer, delivers nothing that was on the way, and takes nothing', () => {
  const { clock, arrived, close, send } = openPipe({ delayMs: 100 })
  send(3)
  expect(clock.waiting()).toBe(1)
  close()
  expect(clock.waiting()).toBe(0)
  send()
  expect(clock.waiting()).toBe(0)
  clock.advance(1_000)
  expect(arrived).toEqual([])
})

test('a pipe that is closed while nothing is on the way takes nothing either', () => {
  const { clock, close, send } = openPipe({})
  close()
  send()
  expect(clock.waiting()).toBe(0)
})
