import type { WebSocket } from 'ws'
import { HUB_HANDSHAKE_TIMEOUT_MS, HUB_KEEP_ALIVE_MS, HUB_SERVER_TIMEOUT_MS } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { NetworkOfUser } from '../matching/rules/candidates.ts'
import type { Origin } from '../matching/rules/trust.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { ConnectionOwner } from './authorisation.ts'
import type { Delivery } from './delivery.ts'
import {
  type CloseReason,
  closeMessage,
  completion,
  event,
  handshakeReply,
  type Incoming,
  type Invocation,
  PING,
  parseMessage,
  readHandshake,
} from './messages.ts'
import { SocketReader, type SocketReaderOwner } from './socket-reader.ts'
import { ACKNOWLEDGE_WITHIN_MS, Tracking } from './tracking.ts'
import { type TrafficLimits, TrafficMeter } from './traffic.ts'
import type { InvokingConnection } from './user-connection.ts'
import type { AckRound, WriteBatch } from './write-batch.ts'

/** Unread or unacknowledged bytes at which a connection is cut. */
const BUFFERED_LIMIT = 1024 * 1024
/** Messages in the inbox at which the socket is paused. */
const INBOX_LIMIT = 256
/** How long a client may take to close its side of the WebSocket before the socket is terminated. */
const CLOSE_TIMEOUT_MS = 5_000
/** Rate-limit refusals before the socket is paused for `REFUSAL_PAUSE_MS`. */
const REFUSALS_BEFORE_PAUSE = 50
const REFUSAL_PAUSE_MS = 1_000
/** WebSocket close codes of a client that ends on purpose; any other code counts as a network failure. */
const CLEAN_CODES = new Set([1000, 1005])

/** What a connection reports to the hub. Each handler runs synchronously. */
export type ConnectionEvents = {
  /** The handshake is complete. */
  opened(connection: Connection): void
  /** Never throws or rejects. The next message is not handled before a returned promise settles. */
  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined
  /** The client has begun to send more than its traffic limit; its socket is read more slowly. */
  trafficExceeded(connection: Connection): void
  /** A stateful connection has lost its socket and may get another. */
  dropped(connection: Connection): void
  /** A stateful connection has another socket. The loss of the earlier socket may not have been noticed. */
  resumed(connection: Connection): void
  /** No new socket may be attached any more. Called before the client can see that the connection ends. */
  closing(connection: Connection): void
  /** The client sent a Close message; everything that it sent before has been handled. */
  closedByClient(connection: Connection): void
  /** The connection is over and everything that it received has been handled. Called once, and last. */
  closed(connection: Connection): void
}

type ConnectionDeps = {
  clock: Clock
  events: ConnectionEvents
  batch: WriteBatch
  acks: AckRound
  region: string
  traffic: TrafficLimits
}

/**
 * One client's connection: handshake, messages in order, keep-alive, end. With protocol version 1 the connection lasts as long as its
 * WebSocket. With version 2 it waits `HUB_SERVER_TIMEOUT_MS` for another WebSocket, and no message is lost, repeated or reordered.
 * Thousands of connections are idle at a time: add no closures, timers or maps to a connection.
 */
export class Connection implements InvokingConnection, SocketReaderOwner {
  readonly id: string
  readonly token: string
  readonly accountId: string
  readonly sessionId: string
  readonly visit: string | null
  readonly region: string
  network: NetworkOfUser
  /** Where the first socket came from; null when this is not known. */
  readonly origin: Origin | null
  lastReceivedAt: number
  readonly #isStateful: boolean
  readonly #deps: ConnectionDeps
  /** Null while a stateful connection waits for another socket. */
  #socket: WebSocket | null = null
  readonly #reader: SocketReader
  #phase: 'handshake' | 'open' | 'closing' = 'handshake'
  #isOver = false
  #wroteAt: number
  #outgoing = ''
  #isHandling = false
  #inbox: Incoming[] = []
  #tracking: Tracking | null = null
  #refusals = 0

  constructor(
    owner: ConnectionOwner,
    socket: WebSocket,
    network: NetworkOfUser,
    deps: ConnectionDeps,
    origin: Origin | null,
  ) {
    this.#deps = deps
    this.id = owner.id
    this.token = owner.token
    this.accountId = owner.accountId
    this.sessionId = owner.sessionId
    this.visit = owner.visit
    this.region = deps.region
    this.network = network
    this.origin = origin
    this.#isStateful = owner.isStateful
    this.lastReceivedAt = deps.clock.now()
    this.#wroteAt = this.lastReceivedAt
    this.#reader = new SocketReader(this, deps.clock, new TrafficMeter(deps.traffic, owner.accountId))
    this.#attach(socket)
  }

  /** The handshake is complete and the socket is open. */
  get open(): boolean {
    const socket = this.#socket
    return this.#phase === 'open' && socket !== null && socket.readyState === socket.OPEN
  }

  get accepts(): boolean {
    return this.#tracking ? this.#phase === 'open' : this.open
  }

  /** The connection may outlive its socket. */
  get isStateful(): boolean {
    return this.#tracking !== null
  }

  /** `takeOver` may be called with another socket. */
  get isResumable(): boolean {
    return this.#tracking !== null && this.#phase === 'open'
  }

  send<E extends HubEvent>(target: E, args: HubEventArguments<E>): void {
    this.#track(event(target, args), null)
  }

  deliver(delivery: Delivery): void {
    this.#track(delivery.text, delivery)
    if (!this.#tracking) delivery.succeed()
  }

  complete(invocationId: string, error?: string): void {
    if (this.accepts) this.#track(completion(invocationId, error), null)
  }

  undelivered(): Delivery[] {
    return this.#tracking?.outgoing.deliveries() ?? []
  }

  get backlog(): { bytes: number; messages: number } {
    if (this.#tracking) return this.#tracking.outgoing
    return { bytes: this.#outgoing.length + (this.#socket?.bufferedAmount ?? 0), messages: 0 }
  }

  /** Counts an invocation over its rate limit; after `REFUSALS_BEFORE_PAUSE` such invocations, pauses the socket. */
  countRateRefusal(): void {
    this.#refusals += 1
    if (this.#refusals < REFUSALS_BEFORE_PAUSE) return
    this.#refusals = 0
    this.#reader.hold('refusals')
    this.#deps.clock.after(REFUSAL_PAUSE_MS, () => this.#reader.release('refusals'))
  }

  received(now: number): void {
    if (this.#phase === 'open') this.lastReceivedAt = now
  }

  message(text: string): void {
    if (this.#phase === 'handshake') this.#takeHandshake(text)
    else this.#takeMessage(text)
  }

  trafficExceeded(): void {
    this.#deps.events.trafficExceeded(this)
  }

  /** Goes on over another socket, without a handshake. Replays what the client has not acknowledged. */
  takeOver(socket: WebSocket, network: NetworkOfUser): void {
    const tracking = this.#tracking
    if (!tracking) return
    this.network = network
    const earlier = this.#socket
    this.#attach(socket)
    earlier?.terminate()
    this.#outgoing = ''
    this.lastReceivedAt = this.#deps.clock.now()
    this.#write(tracking.startReplay())
    this.#deps.events.resumed(this)
  }

  /** Sends a Close message and ends the connection. Messages not handled yet are dropped. */
  close(reason: CloseReason): void {
    if (this.#phase === 'closing') return
    this.#deps.events.closing(this)
    const { error = 'The server is closing.' } = reason
    this.#write(this.#phase === 'open' ? closeMessage(reason) : handshakeReply(error))
    this.#end()
    if (this.#isOver) this.#handleInbox()
  }

  /** Called about every second. Sends pings; closes the connection when the client is silent for too long. */
  check(now: number): void {
    this.#reader.sweep(now)
    if (this.#phase === 'handshake') {
      if (now - this.lastReceivedAt >= HUB_HANDSHAKE_TIMEOUT_MS) this.close({ error: 'The handshake took too long.' })
    } else if (this.#phase === 'open') {
      if (now - this.awaitsSince(now) >= ACKNOWLEDGE_WITHIN_MS) this.abandon()
      else if (now - this.lastReceivedAt >= HUB_SERVER_TIMEOUT_MS)
        this.close({ error: 'Silent for too long.', allowReconnect: true })
      else if (now - this.#wroteAt >= HUB_KEEP_ALIVE_MS) this.#write(PING)
    } else if (now - this.#wroteAt >= CLOSE_TIMEOUT_MS) {
      this.#socket?.terminate()
    }
  }

  /** Returns since when sent messages wait to be acknowledged; `now` when no message waits. */
  awaitsSince(now: number): number {
    return this.#tracking?.awaitsSince(now) ?? now
  }

  get heldBytes(): number {
    return this.#tracking?.outgoing.heldBytes ?? 0
  }

  acknowledge(): void {
    if (this.#tracking?.owesAck && this.open) this.#write(this.#tracking.acknowledgement())
  }

  /** Sends what was written since the last flush. */
  flush(): void {
    const text = this.#outgoing
    this.#outgoing = ''
    if (text === '' || !this.#socket) return
    this.#wroteAt = this.#deps.clock.now()
    // Appends an Ack that is due: a separate frame for it would cost as much as this frame.
    this.#socket.send(this.#tracking?.mayAckNow && this.open ? text + this.#tracking.acknowledgement() : text)
    if (this.#socket.bufferedAmount > BUFFERED_LIMIT) this.abandon()
  }

  #attach(socket: WebSocket): void {
    this.#socket = socket
    let isFaulty = false
    // `close` always follows `error`. A faulty client may not resume: it would send the malformed frames again.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      isFaulty ||= error.code?.startsWith('WS_ERR_') ?? false
    })
    socket.on('close', (code) => {
      if (socket === this.#socket) this.#socketClosed(isFaulty || CLEAN_CODES.has(code))
    })
    this.#reader.attach(socket)
  }

  #socketClosed(isFinal: boolean): void {
    this.#socket = null
    this.#reader.detach()
    if (this.isResumable && !isFinal) {
      this.#outgoing = ''
      this.#deps.events.dropped(this)
      return
    }
    this.#deps.events.closing(this)
    this.#isOver = true
    this.#handleInbox()
  }

  /**
   * Ends the connection of a client that does not read or acknowledge. Gives up the deliveries of the connection: they
   * would fill the user's next connection.
   */
  abandon(): void {
    if (this.#phase === 'closing') return
    this.#deps.events.closing(this)
    for (const delivery of this.undelivered()) delivery.giveUp()
    this.#phase = 'closing'
    this.#inbox = []
    this.#reader.end()
    if (this.#socket) this.#socket.terminate()
    else this.#isOver = true
    if (this.#isOver) this.#handleInbox()
  }

  #takeHandshake(text: string): void {
    const handshake = readHandshake(text, this.#isStateful)
    if ('fault' in handshake) {
      this.close({ error: handshake.fault })
      return
    }
    if (handshake.version === 2) this.#tracking = new Tracking()
    this.#phase = 'open'
    this.lastReceivedAt = this.#deps.clock.now()
    this.#write(handshakeReply())
    this.#deps.events.opened(this)
  }

  #takeMessage(text: string): void {
    if (this.#phase !== 'open') return
    const message = parseMessage(text)
    if (!message) this.close({ error: 'A message is malformed.' })
    else if (!this.#tracking || this.#mustHandle(message, text.length, this.#tracking)) this.#enqueue(message)
  }

  #mustHandle(message: Incoming, units: number, tracking: Tracking): boolean {
    const action = tracking.take(message, units)
    if (action === 'invalid') this.close({ error: 'The number of the message is not possible.' })
    if (tracking.owesAck) this.#deps.acks.add(this)
    this.#writeTracked()
    return action === 'handle'
  }

  #enqueue(message: Incoming): void {
    if (message.kind !== 'invocation' && message.kind !== 'counted' && message.kind !== 'close') return
    this.#inbox.push(message)
    if (this.#inbox.length === INBOX_LIMIT) this.#reader.hold('inbox')
    this.#handleInbox()
  }

  /** Handles the messages in the inbox one at a time, and then the end of the connection. */
  #handleInbox(): void {
    if (this.#isHandling) return
    for (let message = this.#inbox.shift(); message; message = this.#inbox.shift()) {
      if (message.kind === 'close') {
        this.#deps.events.closing(this)
        this.#end()
        this.#deps.events.closedByClient(this)
        break
      }
      const pending = message.kind === 'invocation' ? this.#deps.events.invoked(this, message.invocation) : undefined
      if (!pending) {
        this.#handled()
        continue
      }
      this.#isHandling = true
      pending.finally(() => {
        this.#isHandling = false
        this.#handled()
        if (this.#inbox.length < INBOX_LIMIT) this.#reader.release('inbox')
        this.#handleInbox()
      })
      return
    }
    if (this.#isOver) this.#finish()
  }

  #handled(): void {
    this.#tracking?.markHandled()
    if (this.#tracking?.owesAckNow) this.acknowledge()
  }

  #finish(): void {
    this.#phase = 'closing'
    this.#reader.stop()
    this.#deps.events.closed(this)
  }

  #end(): void {
    this.#phase = 'closing'
    this.flush()
    this.#wroteAt = this.#deps.clock.now()
    this.#inbox = []
    if (!this.#socket) this.#isOver = true
    this.#reader.end()
    this.#socket?.close(1000)
  }

  #track(text: string, delivery: Delivery | null): void {
    if (!this.#tracking) {
      this.#write(text)
      return
    }
    this.#tracking.outgoing.add(text, delivery)
    if (this.#tracking.outgoing.heldBytes > BUFFERED_LIMIT) this.abandon()
    else this.#writeTracked()
  }

  #writeTracked(): void {
    if (this.#tracking && this.open) this.#write(this.#tracking.next())
  }

  /** Adds the text to the frame that the next `flush` sends: a frame costs far more than a message. */
  #write(text: string): void {
    if (text === '') return
    if (this.#outgoing === '') this.#deps.batch.add(this)
    this.#outgoing += text
  }
}
