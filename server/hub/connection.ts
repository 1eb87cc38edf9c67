import type { RawData, WebSocket } from 'ws'
import {
  HUB_HANDSHAKE_TIMEOUT_MS,
  HUB_KEEP_ALIVE_MS,
  HUB_MESSAGE_LIMIT,
  HUB_SERVER_TIMEOUT_MS,
} from '#protocol/constants.ts'
import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { Clock } from '../domain/ports.ts'
import { MessageSplitter } from './framing.ts'
import {
  type CloseReason,
  closeMessage,
  completion,
  event,
  handshakeFault,
  handshakeReply,
  type Incoming,
  type Invocation,
  PING,
  parseMessage,
} from './messages.ts'
import type { WriteBatch } from './write-batch.ts'

/** A client that leaves this much unread is cut off. */
const BUFFERED_LIMIT = 1024 * 1024
/** So many messages may wait for the one in work before the socket is paused. */
const INBOX_LIMIT = 256
/** How long a client has to answer the end of the WebSocket before it is cut off. */
const CLOSE_TIMEOUT_MS = 5_000

export type ConnectionEvents = {
  /** The handshake is done. */
  opened(connection: Connection): void
  /** Never throws or rejects. The next message is not handled before a returned promise settles. */
  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined
  /** No new socket may find this connection; called before the client can see that it ends. */
  ending(connection: Connection): void
  /** The client said that it goes, after everything else it had to say. */
  stopped(connection: Connection): void
  /** The socket is gone and everything that came over it has been handled. Comes once and last. */
  closed(connection: Connection): void
}

/** What all connections of a hub share. */
type ConnectionDeps = { clock: Clock; events: ConnectionEvents; batch: WriteBatch }

export type ConnectionOwner = { id: string; token: string; accountId: string; sessionId: string }

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** One client of the hub over one WebSocket: handshake, messages in order, keep-alive, end. */
export class Connection {
  readonly id: string
  readonly token: string
  readonly accountId: string
  readonly sessionId: string
  heardAt: number
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #events: ConnectionEvents
  readonly #batch: WriteBatch
  readonly #splitter = new MessageSplitter(HUB_MESSAGE_LIMIT)
  #phase: 'handshake' | 'open' | 'closing' = 'handshake'
  #socketClosed = false
  #wroteAt: number
  #outgoing = ''
  #busy = false
  #inbox: Incoming[] = []

  constructor(owner: ConnectionOwner, socket: WebSocket, { clock, events, batch }: ConnectionDeps) {
    this.#batch = batch
    this.id = owner.id
    this.token = owner.token
    this.accountId = owner.accountId
    this.sessionId = owner.sessionId
    this.#socket = socket
    this.#clock = clock
    this.#events = events
    this.heardAt = clock.now()
    this.#wroteAt = this.heardAt
    socket.on('message', (data) => this.#receive(bytesOf(data)))
    socket.on('close', () => {
      this.#socketClosed = true
      this.#events.ending(this)
      this.#work()
    })
    // A close always follows an error.
    socket.on('error', () => undefined)
  }

  get open(): boolean {
    return this.#phase === 'open' && this.#socket.readyState === this.#socket.OPEN
  }

  /** False when the connection cannot take it. */
  send<E extends HubEvent>(target: E, args: HubEventArguments<E>): boolean {
    if (!this.open) return false
    this.#write(event(target, args))
    return true
  }

  complete(invocationId: string, error?: string): void {
    if (this.open) this.#write(completion(invocationId, error))
  }

  /** Ends the connection with a Close message. What the client sends from now on is not handled any more. */
  close(reason: CloseReason): void {
    if (this.#phase === 'closing') return
    this.#events.ending(this)
    const text =
      this.#phase === 'open' ? closeMessage(reason) : handshakeReply(reason.error ?? 'The server is closing.')
    this.#write(text)
    this.#end()
  }

  /** Called about every second: pings, and notices silence. */
  check(now: number): void {
    if (this.#phase === 'handshake') {
      if (now - this.heardAt >= HUB_HANDSHAKE_TIMEOUT_MS) this.close({ error: 'The handshake took too long.' })
    } else if (this.#phase === 'open') {
      if (now - this.heardAt >= HUB_SERVER_TIMEOUT_MS)
        this.close({ error: 'Silent for too long.', allowReconnect: true })
      else if (now - this.#wroteAt >= HUB_KEEP_ALIVE_MS) this.#write(PING)
    } else if (now - this.#wroteAt >= CLOSE_TIMEOUT_MS) {
      this.#socket.terminate()
    }
  }

  #receive(frame: Buffer): void {
    if (this.#phase === 'closing') return
    if (this.#phase === 'open') this.heardAt = this.#clock.now()
    const texts = this.#splitter.push(frame)
    if (!texts) this.close({ error: 'A message is too large.' })
    for (const text of texts ?? []) {
      if (this.#phase === 'handshake') this.#shakeHands(text)
      else this.#take(text)
    }
  }

  #shakeHands(text: string): void {
    const fault = handshakeFault(text)
    if (fault !== null) {
      this.close({ error: fault })
      return
    }
    this.#phase = 'open'
    this.heardAt = this.#clock.now()
    this.#write(handshakeReply())
    this.#events.opened(this)
  }

  #take(text: string): void {
    if (this.#phase !== 'open') return
    const message = parseMessage(text)
    if (!message) this.close({ error: 'A message is malformed.' })
    if (!message || message.kind === 'nothing') return
    this.#inbox.push(message)
    if (this.#inbox.length === INBOX_LIMIT) this.#socket.pause()
    this.#work()
  }

  /** Handles what has come, one message at a time, and at last the end of the socket. */
  #work(): void {
    if (this.#busy) return
    for (let message = this.#inbox.shift(); message; message = this.#inbox.shift()) {
      if (message.kind === 'close') {
        this.#events.ending(this)
        this.#end()
        this.#events.stopped(this)
        break
      }
      if (message.kind !== 'invocation') continue
      const pending = this.#events.invoked(this, message.invocation)
      if (!pending) continue
      this.#busy = true
      pending.finally(() => {
        this.#busy = false
        if (this.#socket.isPaused && this.#inbox.length < INBOX_LIMIT) this.#socket.resume()
        this.#work()
      })
      return
    }
    if (!this.#socketClosed) return
    this.#phase = 'closing'
    this.#events.closed(this)
  }

  #end(): void {
    this.flush()
    this.#wroteAt = this.#clock.now()
    this.#phase = 'closing'
    this.#inbox = []
    this.#socket.resume()
    this.#socket.close(1000)
  }

  /** A frame costs far more than a message, so what is written in one turn of the event loop leaves as one. */
  #write(text: string): void {
    if (this.#outgoing === '') this.#batch.add(this)
    this.#outgoing += text
  }

  /** Sends what was written. For the batch; nothing happens when there is nothing. */
  flush(): void {
    if (this.#outgoing === '') return
    const text = this.#outgoing
    this.#outgoing = ''
    this.#wroteAt = this.#clock.now()
    this.#socket.send(text)
    if (this.#socket.bufferedAmount > BUFFERED_LIMIT) this.#socket.terminate()
  }
}
