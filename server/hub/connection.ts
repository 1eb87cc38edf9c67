import type { WebSocket } from 'ws'
import { HUB_HANDSHAKE_TIMEOUT_MS, HUB_KEEP_ALIVE_MS, HUB_SERVER_TIMEOUT_MS } from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { AckRound } from './ack-round.ts'
import type { Delivery } from './delivery.ts'
import { Intake, type IntakeOwner } from './intake.ts'
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
import { Tracking } from './tracking.ts'
import { type TrafficLimits, TrafficMeter } from './traffic.ts'
import type { WriteBatch } from './write-batch.ts'

/** A client that leaves this much unread is cut off. */
const BUFFERED_LIMIT = 1024 * 1024
/** So many messages may wait for the one in work before the socket is paused. */
const INBOX_LIMIT = 256
/** How long a client has to answer the end of the WebSocket before it is cut off. */
const CLOSE_TIMEOUT_MS = 5_000
/** Who was refused this often for being too fast is not read for a while. */
const PATIENCE = 50
const UNREAD_MS = 1_000
/** Ended by the client on purpose; anything else is an accident of the network. */
const CLEAN_CODES = new Set([1000, 1005])

export type ConnectionEvents = {
  /** The handshake is done. */
  opened(connection: Connection): void
  /** Never throws or rejects. The next message is not handled before a returned promise settles. */
  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined
  /** The client begins to send more than its connection may: it is read more slowly. */
  flooding(connection: Connection): void
  /** A stateful connection has lost its socket and may get another. */
  dropped(connection: Connection): void
  /** A stateful connection has another socket; maybe it never noticed the loss of the earlier one. */
  returned(connection: Connection): void
  /** No new socket may find this connection; called before the client can see that it ends. */
  ending(connection: Connection): void
  /** The client said that it goes, after everything else it had to say. */
  stopped(connection: Connection): void
  /** The connection is over and everything that came over it has been handled. Comes once and last. */
  closed(connection: Connection): void
}

/** What all connections of a hub share. */
type ConnectionDeps = {
  clock: Clock
  events: ConnectionEvents
  batch: WriteBatch
  acks: AckRound
  region: string
  traffic: TrafficLimits
}

export type ConnectionOwner = {
  id: string
  token: string
  accountId: string
  sessionId: string
  /** Which load of the page it is; null when the client does not say. */
  visit: string | null
  /** Stateful reconnect was asked for in negotiate. */
  isStateful: boolean
}

/** A connection as those see it who only care for its user. */
export type UserConnection = Pick<
  Connection,
  | 'id'
  | 'accountId'
  | 'sessionId'
  | 'visit'
  | 'region'
  | 'open'
  | 'accepts'
  | 'tell'
  | 'deliver'
  | 'undelivered'
  | 'backlog'
  | 'close'
>

/** A connection as the methods of the hub see it. */
export type InvokingConnection = UserConnection & Pick<Connection, 'complete' | 'slowDown'>

/**
 * One client of the hub: handshake, messages in order, keep-alive, end. With version 1 of the protocol it lives as long as
 * its WebSocket; with version 2 it outlives it for HUB_SERVER_TIMEOUT_MS, and loses, doubles and reorders nothing.
 */
export class Connection implements IntakeOwner {
  readonly id: string
  readonly token: string
  readonly accountId: string
  readonly sessionId: string
  readonly visit: string | null
  /** That of the server which has its socket. */
  readonly region: string
  heardAt: number
  readonly #isStateful: boolean
  readonly #deps: ConnectionDeps
  /** Null while a stateful connection waits for another one. */
  #socket: WebSocket | null = null
  readonly #intake: Intake
  #phase: 'handshake' | 'open' | 'closing' = 'handshake'
  #over = false
  #wroteAt: number
  #outgoing = ''
  #busy = false
  #inbox: Incoming[] = []
  #tracking: Tracking | null = null
  #refusals = 0

  constructor(owner: ConnectionOwner, socket: WebSocket, deps: ConnectionDeps) {
    this.#deps = deps
    this.id = owner.id
    this.token = owner.token
    this.accountId = owner.accountId
    this.sessionId = owner.sessionId
    this.visit = owner.visit
    this.region = deps.region
    this.#isStateful = owner.isStateful
    this.heardAt = deps.clock.now()
    this.#wroteAt = this.heardAt
    this.#intake = new Intake(this, deps.clock, new TrafficMeter(deps.traffic, owner.accountId))
    this.#attach(socket)
  }

  /** Somebody listens at the other end, as far as one can know. */
  get open(): boolean {
    const socket = this.#socket
    return this.#phase === 'open' && socket !== null && socket.readyState === socket.OPEN
  }

  /** It takes what is to be delivered: at once, or as soon as its client has another socket. */
  get accepts(): boolean {
    return this.#tracking ? this.#phase === 'open' : this.open
  }

  /** It outlives its socket. */
  get isStateful(): boolean {
    return this.#tracking !== null
  }

  /** Another socket may take it over. */
  get mayReturn(): boolean {
    return this.#tracking !== null && this.#phase === 'open'
  }

  /** Tells this client alone. */
  tell<E extends HubEvent>(target: E, args: HubEventArguments<E>): void {
    this.#track(event(target, args), null)
  }

  deliver(delivery: Delivery): void {
    this.#track(delivery.text, delivery)
    if (!this.#tracking) delivery.succeed()
  }

  complete(invocationId: string, error?: string): void {
    if (this.accepts) this.#track(completion(invocationId, error), null)
  }

  /** What was handed over for delivery and is not known to have arrived. */
  undelivered(): Delivery[] {
    return this.#tracking?.outgoing.deliveries() ?? []
  }

  /** What this client has not taken. Of a connection without acknowledgements only bytes are known. */
  get backlog(): { bytes: number; messages: number } {
    if (this.#tracking) return this.#tracking.outgoing
    return { bytes: this.#outgoing.length + (this.#socket?.bufferedAmount ?? 0), messages: 0 }
  }

  /** One invocation was too much; of somebody who does not stop the socket is left alone for a while. */
  slowDown(): void {
    this.#refusals += 1
    if (this.#refusals < PATIENCE) return
    this.#refusals = 0
    this.#intake.hold('refusals')
    this.#deps.clock.after(UNREAD_MS, () => this.#intake.release('refusals'))
  }

  heard(now: number): void {
    if (this.#phase === 'open') this.heardAt = now
  }

  message(text: string): void {
    if (this.#phase === 'handshake') this.#shakeHands(text)
    else this.#take(text)
  }

  flooding(): void {
    this.#deps.events.flooding(this)
  }

  /** Another socket for the same connection: it goes on without a handshake where the earlier one was lost. */
  takeOver(socket: WebSocket): void {
    const tracking = this.#tracking
    if (!tracking) return
    const earlier = this.#socket
    this.#attach(socket)
    earlier?.terminate()
    this.#outgoing = ''
    this.heardAt = this.#deps.clock.now()
    this.#write(tracking.beginAnew())
    this.#deps.events.returned(this)
  }

  /** Ends the connection with a Close message. What the client sends from now on is not handled any more. */
  close(reason: CloseReason): void {
    if (this.#phase === 'closing') return
    this.#deps.events.ending(this)
    const { error = 'The server is closing.' } = reason
    this.#write(this.#phase === 'open' ? closeMessage(reason) : handshakeReply(error))
    this.#end()
    if (this.#over) this.#work()
  }

  /** Called about every second: pings, and notices silence. */
  check(now: number): void {
    this.#intake.sweep(now)
    if (this.#phase === 'handshake') {
      if (now - this.heardAt >= HUB_HANDSHAKE_TIMEOUT_MS) this.close({ error: 'The handshake took too long.' })
    } else if (this.#phase === 'open') {
      if (now - this.heardAt >= HUB_SERVER_TIMEOUT_MS)
        this.close({ error: 'Silent for too long.', allowReconnect: true })
      else if (now - this.#wroteAt >= HUB_KEEP_ALIVE_MS) this.#write(PING)
    } else if (now - this.#wroteAt >= CLOSE_TIMEOUT_MS) {
      this.#socket?.terminate()
    }
  }

  /** For the round of acknowledgements. */
  acknowledge(): void {
    if (this.#tracking?.owes && this.open) this.#write(this.#tracking.acknowledgement())
  }

  /** Sends what was written. For the batch; nothing happens when there is nothing. */
  flush(): void {
    const text = this.#outgoing
    this.#outgoing = ''
    if (text === '' || !this.#socket) return
    this.#wroteAt = this.#deps.clock.now()
    this.#socket.send(text)
    if (this.#socket.bufferedAmount > BUFFERED_LIMIT) this.#abandon()
  }

  #attach(socket: WebSocket): void {
    this.#socket = socket
    let faulty = false
    // A close always follows an error. What is no WebSocket frame would come again over the next socket.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      faulty ||= error.code?.startsWith('WS_ERR_') ?? false
    })
    socket.on('close', (code) => {
      if (socket === this.#socket) this.#lose(faulty || CLEAN_CODES.has(code))
    })
    this.#intake.attach(socket)
  }

  #lose(forGood: boolean): void {
    this.#socket = null
    this.#intake.detach()
    if (this.mayReturn && !forGood) {
      this.#outgoing = ''
      this.#deps.events.dropped(this)
      return
    }
    this.#deps.events.ending(this)
    this.#over = true
    this.#work()
  }

  /** Cuts off who does not read; what they left unread would cut off their next connection, too. */
  #abandon(): void {
    if (this.#phase === 'closing') return
    this.#deps.events.ending(this)
    for (const delivery of this.undelivered()) delivery.giveUp()
    this.#phase = 'closing'
    this.#inbox = []
    this.#intake.end()
    if (this.#socket) this.#socket.terminate()
    else this.#over = true
    if (this.#over) this.#work()
  }

  #shakeHands(text: string): void {
    const handshake = readHandshake(text, this.#isStateful)
    if ('fault' in handshake) {
      this.close({ error: handshake.fault })
      return
    }
    if (handshake.version === 2) this.#tracking = new Tracking()
    this.#phase = 'open'
    this.heardAt = this.#deps.clock.now()
    this.#write(handshakeReply())
    this.#deps.events.opened(this)
  }

  #take(text: string): void {
    if (this.#phase !== 'open') return
    const message = parseMessage(text)
    if (!message) this.close({ error: 'A message is malformed.' })
    else if (!this.#tracking || this.#isDue(message, text.length, this.#tracking)) this.#enqueue(message)
  }

  #isDue(message: Incoming, units: number, tracking: Tracking): boolean {
    const verdict = tracking.take(message, units)
    if (verdict === 'impossible') this.close({ error: 'The number of the message is not possible.' })
    if (tracking.owes) this.#deps.acks.add(this)
    this.#writeTracked()
    return verdict === 'handle'
  }

  #enqueue(message: Incoming): void {
    if (message.kind !== 'invocation' && message.kind !== 'counted' && message.kind !== 'close') return
    this.#inbox.push(message)
    if (this.#inbox.length === INBOX_LIMIT) this.#intake.hold('inbox')
    this.#work()
  }

  /** Handles what has come, one message at a time, and at last the end of the connection. */
  #work(): void {
    if (this.#busy) return
    for (let message = this.#inbox.shift(); message; message = this.#inbox.shift()) {
      if (message.kind === 'close') {
        this.#deps.events.ending(this)
        this.#end()
        this.#deps.events.stopped(this)
        break
      }
      const pending = message.kind === 'invocation' ? this.#deps.events.invoked(this, message.invocation) : undefined
      if (!pending) {
        this.#handled()
        continue
      }
      this.#busy = true
      pending.finally(() => {
        this.#busy = false
        this.#handled()
        if (this.#inbox.length < INBOX_LIMIT) this.#intake.release('inbox')
        this.#work()
      })
      return
    }
    if (this.#over) this.#finish()
  }

  #handled(): void {
    this.#tracking?.markHandled()
    if (this.#tracking?.owesMuch) this.acknowledge()
  }

  #finish(): void {
    this.#phase = 'closing'
    this.#intake.stop()
    this.#deps.events.closed(this)
  }

  #end(): void {
    this.flush()
    this.#wroteAt = this.#deps.clock.now()
    this.#phase = 'closing'
    this.#inbox = []
    if (!this.#socket) this.#over = true
    this.#intake.end()
    this.#socket?.close(1000)
  }

  #track(text: string, delivery: Delivery | null): void {
    if (!this.#tracking) {
      this.#write(text)
      return
    }
    this.#tracking.outgoing.add(text, delivery)
    if (this.#tracking.outgoing.bytes > BUFFERED_LIMIT) this.#abandon()
    else this.#writeTracked()
  }

  #writeTracked(): void {
    if (this.#tracking && this.open) this.#write(this.#tracking.next())
  }

  /** A frame costs far more than a message, so what is written in one turn of the event loop leaves as one. */
  #write(text: string): void {
    if (text === '') return
    if (this.#outgoing === '') this.#deps.batch.add(this)
    this.#outgoing += text
  }
}
