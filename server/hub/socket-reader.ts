import type { RawData, WebSocket } from 'ws'
import { HUB_MESSAGE_LIMIT } from '#protocol/constants.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { CloseReason } from './messages.ts'
import type { TrafficMeter } from './traffic.ts'

/** Pauses in a row for too much traffic before the connection is closed; they take about half a minute. */
const PAUSES_IN_A_ROW = 30

const SEPARATOR_BYTE = 0x1e

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** Splits the frames of a socket into messages: a message may span frames, and a frame may hold many messages. */
class MessageSplitter {
  /** A copy of the beginning of an incomplete message: a slice would keep the whole read buffer in memory. */
  #rest: Buffer | null = null

  get isHalfRead(): boolean {
    return this.#rest !== null
  }

  /** Returns the messages that this frame completes; null when a message is larger than the limit. */
  push(frame: Buffer): string[] | null {
    const messages: string[] = []
    let start = 0
    for (let end = frame.indexOf(SEPARATOR_BYTE); end !== -1; end = frame.indexOf(SEPARATOR_BYTE, start)) {
      if ((this.#rest?.length ?? 0) + end - start > HUB_MESSAGE_LIMIT) return null
      messages.push(this.#complete(frame, start, end))
      start = end + 1
    }
    const left = frame.subarray(start)
    if ((this.#rest?.length ?? 0) + left.length > HUB_MESSAGE_LIMIT) return null
    if (left.length > 0) this.#rest = Buffer.concat(this.#rest ? [this.#rest, left] : [left])
    return messages
  }

  #complete(frame: Buffer, start: number, end: number): string {
    if (!this.#rest) return frame.toString('utf8', start, end)
    const whole = Buffer.concat([this.#rest, frame.subarray(start, end)])
    this.#rest = null
    return whole.toString('utf8')
  }
}

type Hold = 'inbox' | 'refusals' | 'traffic'
const NO_HOLDS: readonly Hold[] = []
const NOTHING_PARKED: readonly string[] = []

/** By socket: its reader. The listeners find the reader here, because closures for each socket need more memory. */
const readers = new WeakMap<WebSocket, SocketReader>()

function onMessage(this: WebSocket, data: RawData): void {
  readers.get(this)?.frame(this, bytesOf(data))
}

function onPing(this: WebSocket, data: Buffer): void {
  if (readers.get(this)?.control(this, data) && this.readyState === this.OPEN) this.pong(data)
}

function onPong(this: WebSocket, data: Buffer): void {
  readers.get(this)?.control(this, data)
}

/** The connection that a reader belongs to. An object with methods needs less memory than callbacks. */
export interface SocketReaderOwner {
  /** A WebSocket frame was received. */
  received(now: number): void
  message(text: string): void
  /** The client has begun to send more than its traffic limit. */
  trafficExceeded(): void
  /** Called when a message is too large, or the traffic limit is exceeded for too long. */
  close(reason: CloseReason): void
}

/**
 * Reads the socket of a connection: measures all frames, splits them into messages, and pauses the socket while the client has
 * sent too much or the connection's inbox is full. The client of a paused socket cannot send more than its TCP buffers hold.
 */
export class SocketReader {
  readonly #owner: SocketReaderOwner
  readonly #clock: Clock
  readonly #meter: TrafficMeter
  #holds: readonly Hold[] = NO_HOLDS
  #socket: WebSocket | null = null
  /** Null while no message is incomplete. */
  #splitter: MessageSplitter | null = null
  /** Messages that were received before the traffic limit was reached; they are handled as the limit allows. */
  #parked = NOTHING_PARKED
  #pauses = 0
  #ended = false
  /** Null before the first pause. */
  #cancelPause: (() => void) | null = null

  constructor(owner: SocketReaderOwner, clock: Clock, meter: TrafficMeter) {
    this.#owner = owner
    this.#clock = clock
    this.#meter = meter
  }

  /** Reads this socket from now on. Drops incomplete and parked messages of an earlier socket: the client sends them again. */
  attach(socket: WebSocket): void {
    this.#socket = socket
    this.#splitter = null
    this.#parked = NOTHING_PARKED
    readers.set(socket, this)
    socket.on('message', onMessage)
    socket.on('ping', onPing)
    socket.on('pong', onPong)
    this.#update()
  }

  /** Must be called when the socket has closed. Forgets the socket. */
  detach(): void {
    this.#socket = null
    this.#parked = NOTHING_PARKED
  }

  hold(why: Hold): void {
    if (!this.#holds.includes(why)) this.#holds = [...this.#holds, why]
    this.#update()
  }

  release(why: Hold): void {
    if (!this.#holds.includes(why)) return
    this.#holds = this.#holds.filter((hold) => hold !== why)
    this.#update()
  }

  /** Handles no more messages. The socket is still read, within the traffic limit, until the client closes it. */
  end(): void {
    this.#ended = true
    this.#parked = NOTHING_PARKED
    this.#holds = this.#holds.filter((hold) => hold === 'traffic')
    this.#update()
  }

  /** Called about every second, to free memory. */
  sweep(now: number): void {
    this.#meter.sweep(now)
    if (!this.#splitter?.isHalfRead) this.#splitter = null
  }

  stop(): void {
    this.#cancelPause?.()
  }

  /** Handles a frame of `socket`. */
  frame(socket: WebSocket, data: Buffer): void {
    if (socket !== this.#socket) return
    const meter = this.#meter
    const now = this.#clock.now()
    this.#noteRecovery(now)
    if (this.#ended) {
      meter.spend(data.length, 1, now)
      this.#pauseIfSpent(now)
      return
    }
    this.#owner.received(now)
    this.#splitter ??= new MessageSplitter()
    const texts = this.#splitter.push(data)
    const isWithin = this.#parked.length === 0 && meter.take(data.length, texts?.length || 1, now)
    if (!texts) this.#owner.close({ error: 'A message is too large.' })
    else if (isWithin) for (const text of texts) this.#owner.message(text)
    else {
      meter.spend(data.length, texts.length === 0 ? 1 : 0, now)
      this.#parked = [...this.#parked, ...texts]
      this.#handleParked(now)
    }
  }

  /** Counts a WebSocket ping or pong of `socket`. Returns false when it exceeds the traffic limit. */
  control(socket: WebSocket, data: Buffer): boolean {
    if (socket !== this.#socket) return false
    const meter = this.#meter
    const now = this.#clock.now()
    this.#noteRecovery(now)
    if (meter.take(data.length, 1, now)) return true
    meter.spend(data.length, 1, now)
    this.#pauseIfSpent(now)
    return false
  }

  /** Handles parked messages as far as the traffic limit allows. */
  #handleParked(now: number): void {
    const meter = this.#meter
    let handled = 0
    while (handled < this.#parked.length && !meter.isSpent(now)) {
      meter.spend(0, 1, now)
      this.#owner.message(this.#parked[handled] ?? '')
      handled += 1
    }
    this.#parked = handled === this.#parked.length ? NOTHING_PARKED : this.#parked.slice(handled)
    this.#pauseIfSpent(now)
  }

  #noteRecovery(now: number): void {
    if (this.#pauses > 0 && this.#meter.hasRecovered(now)) this.#pauses = 0
  }

  #pauseIfSpent(now: number): void {
    const [clock, meter] = [this.#clock, this.#meter]
    if (this.#holds.includes('traffic') || !meter.isSpent(now)) return
    this.hold('traffic')
    this.#pauses += 1
    if (this.#pauses === 1) this.#owner.trafficExceeded()
    if (this.#pauses > PAUSES_IN_A_ROW && !this.#ended) this.#owner.close({ error: 'Too much was sent for too long.' })
    this.#cancelPause = clock.after(meter.pauseMs(now), () => {
      this.release('traffic')
      this.#handleParked(clock.now())
    })
  }

  #update(): void {
    const socket = this.#socket
    if (!socket) return
    if (this.#holds.length > 0) socket.pause()
    else if (socket.isPaused) socket.resume()
  }
}
