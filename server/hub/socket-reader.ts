import type { RawData, WebSocket } from 'ws'
import { HUB_MESSAGE_LIMIT } from '#protocol/constants.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { bytesOf, MessageSplitter } from './framing.ts'
import type { CloseReason } from './messages.ts'
import type { TrafficMeter } from './traffic.ts'

/** A client whose socket was paused this often in a row for sending too much is closed: after about half a minute. */
const PAUSES_IN_A_ROW = 30

/** Why a socket is not read for a while. */
type Hold = 'inbox' | 'refusals' | 'traffic'
const NO_HOLDS: readonly Hold[] = []
const NOTHING_PARKED: readonly string[] = []

/** Which intake reads a socket. The listeners find it here and are the same for all sockets: idle connections are to be small. */
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

/** The connection that an intake reads for; methods instead of closures, since there are many idle connections. */
export interface SocketReaderOwner {
  /** A frame has come. */
  received(now: number): void
  /** One whole message. */
  message(text: string): void
  /** The client begins to send more than it may. */
  trafficExceeded(): void
  /** For a message that is too large, or a client that did not stop sending more than it may. */
  close(reason: CloseReason): void
}

/**
 * Reads the socket of a connection: measures everything that comes, cuts it into messages, and pauses the socket while
 * the connection has sent too much or cannot take more. While a socket is paused, TCP makes its client wait.
 */
export class SocketReader {
  readonly #owner: SocketReaderOwner
  readonly #clock: Clock
  readonly #meter: TrafficMeter
  #holds: readonly Hold[] = NO_HOLDS
  #socket: WebSocket | null = null
  /** Null while no message is half read. */
  #splitter: MessageSplitter | null = null
  /** Messages of frames that were read already when the limit was reached. */
  #parked = NOTHING_PARKED
  #pauses = 0
  #ended = false
  /** Null while no pause has begun. */
  #cancelPause: (() => void) | null = null

  constructor(owner: SocketReaderOwner, clock: Clock, meter: TrafficMeter) {
    this.#owner = owner
    this.#clock = clock
    this.#meter = meter
  }

  /** Reads this socket from now on. What an earlier one left half read or parked is dropped: its client sends it again. */
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

  /** The socket is gone. */
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

  /** No message is handled any more. The socket is read only so far as the limit allows, to see its client close it. */
  end(): void {
    this.#ended = true
    this.#parked = NOTHING_PARKED
    this.#holds = this.#holds.filter((hold) => hold === 'traffic')
    this.#update()
  }

  /** Called now and then, to need less memory. */
  sweep(now: number): void {
    this.#meter.sweep(now)
    if (!this.#splitter?.isHalfRead) this.#splitter = null
  }

  /** Lets go of the timer. */
  stop(): void {
    this.#cancelPause?.()
  }

  /** Takes a frame of messages that came over `socket`. */
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
    this.#splitter ??= new MessageSplitter(HUB_MESSAGE_LIMIT)
    const texts = this.#splitter.push(data)
    const isWithin = this.#parked.length === 0 && meter.take(data.length, texts?.length || 1, now)
    if (!texts) this.#owner.close({ error: 'A message is too large.' })
    else if (isWithin) for (const text of texts) this.#owner.message(text)
    else {
      meter.spend(data.length, texts.length === 0 ? 1 : 0, now)
      this.#parked = [...this.#parked, ...texts]
      this.#workOff(now)
    }
  }

  /** Takes a WebSocket ping or pong that came over `socket`. False when it is more than the client may send. */
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

  /** Handles what is parked as far as the limit allows. */
  #workOff(now: number): void {
    const meter = this.#meter
    let done = 0
    while (done < this.#parked.length && !meter.isSpent(now)) {
      meter.spend(0, 1, now)
      this.#owner.message(this.#parked[done] ?? '')
      done += 1
    }
    this.#parked = done === this.#parked.length ? NOTHING_PARKED : this.#parked.slice(done)
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
      this.#workOff(clock.now())
    })
  }

  #update(): void {
    const socket = this.#socket
    if (!socket) return
    if (this.#holds.length > 0) socket.pause()
    else if (socket.isPaused) socket.resume()
  }
}
