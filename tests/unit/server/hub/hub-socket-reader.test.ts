import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { SocketReader } from '../../../../server/hub/socket-reader.ts'
import { TrafficLimits, TrafficMeter } from '../../../../server/hub/traffic.ts'
import { fakeClock } from '../../../support/fake-clock.ts'

/** The reading side of a socket. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  isPaused = false
  readonly pongs: Buffer[] = []
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
  pong(data: Buffer): void {
    this.pongs.push(data)
  }
  frame(...messages: string[]): void {
    this.emit('message', Buffer.from(messages.map((message) => `${message}\u001e`).join('')))
  }
}

/** Ten messages at once, and one a second: each costs 512 bytes plus its size. */
const RATE = { perSecond: 520, burst: 5_200 }

function setUp() {
  const clock = fakeClock(1_000)
  const limits = new TrafficLimits(RATE)
  const reported: string[] = []
  const messages: string[] = []
  const owner = {
    received: () => undefined,
    message: (text: string) => messages.push(text),
    trafficExceeded: () => reported.push('traffic exceeded'),
    close: ({ error = '' }: { error?: string }) => {
      reported.push(error)
      reader.end()
    },
  }
  const reader = new SocketReader(owner, clock, new TrafficMeter(limits, 'ann'))
  const socket = new FakeSocket()
  const attach = (one: FakeSocket) => reader.attach(one as unknown as WebSocket)
  attach(socket)
  return { clock, limits, reported, messages, reader, socket, attach }
}

describe('the socket reader of a connection', () => {
  test('handles what is within the limit, and the rest of a frame as the limit allows, in order', () => {
    const { clock, reported, messages, socket } = setUp()
    const all = Array.from({ length: 20 }, (_, index) => `message${index % 10}`)
    socket.frame(...all)
    expect(messages.length).toBeGreaterThanOrEqual(9)
    expect(messages.length).toBeLessThan(12)
    expect(socket.isPaused).toBe(true)
    expect(reported).toEqual(['traffic exceeded'])
    clock.advance(20_000)
    expect(messages).toEqual(all)
    clock.advance(5_000)
    expect(socket.isPaused).toBe(false)
  })

  test('closes a client that does not stop sending, and cancels its timer', () => {
    const { clock, reported, reader, socket } = setUp()
    for (let seconds = 0; seconds < 300 && !reported.includes('Too much was sent for too long.'); seconds += 1) {
      if (!socket.isPaused) socket.frame(...Array.from({ length: 4 }, () => 'x'))
      clock.advance(1_000)
    }
    expect(reported).toEqual(['traffic exceeded', 'Too much was sent for too long.'])
    reader.stop()
    expect(clock.waiting()).toBe(0)
  })

  test('resets the pauses of a client that was quiet for a while', () => {
    const { clock, reported, socket } = setUp()
    for (let times = 0; times < 100; times += 1) {
      socket.frame(...Array.from({ length: 12 }, () => 'x'))
      clock.advance(60_000)
    }
    expect(new Set(reported)).toEqual(new Set(['traffic exceeded']))
    expect(reported).toHaveLength(100)
  })

  test('answers WebSocket pings within the limit only', () => {
    const { socket } = setUp()
    for (let times = 0; times < 50; times += 1) socket.emit('ping', Buffer.from('12345678'))
    expect(socket.pongs).toHaveLength(10)
    expect(socket.isPaused).toBe(true)
  })

  test('drops the parked messages of a lost socket, and keeps the next one paused until the limit allows', () => {
    const { clock, messages, reader, socket, attach } = setUp()
    socket.frame(...Array.from({ length: 20 }, () => 'x'))
    const before = messages.length
    reader.detach()
    const next = new FakeSocket()
    attach(next)
    expect(next.isPaused).toBe(true)
    clock.advance(30_000)
    expect(next.isPaused).toBe(false)
    next.frame('y')
    expect(messages.slice(before)).toEqual(['y'])
  })

  test('a paused socket stays paused until the last reason is gone', () => {
    const { clock, reader, socket } = setUp()
    reader.hold('inbox')
    socket.frame(...Array.from({ length: 12 }, () => 'x'))
    reader.release('inbox')
    expect(socket.isPaused).toBe(true)
    clock.advance(60_000)
    expect(socket.isPaused).toBe(false)
  })

  test('many sockets of one account share twice the limit, and a full bucket is removed', () => {
    const clock = fakeClock(1_000)
    const limits = new TrafficLimits(RATE)
    const meters = Array.from({ length: 5 }, () => new TrafficMeter(limits, 'ann'))
    const taken = meters.map((meter) => Array.from({ length: 20 }, () => meter.take(8, 1, clock.now())))
    expect(taken.flat().filter(Boolean)).toHaveLength(20)
    clock.advance(60_000)
    limits.sweep(clock.now())
    expect(limits.byAccount.of('ann', clock.now()).isFull(clock.now())).toBe(true)
  })
})
