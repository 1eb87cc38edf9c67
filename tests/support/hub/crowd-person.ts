import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { HUB_HANDSHAKE_TIMEOUT_MS, HUB_KEEP_ALIVE_MS, HUB_RECONNECT_DELAYS_MS } from '#protocol/constants.ts'
import type { TestUser } from '../fleet/many-servers.ts'
import { seededRandom } from '../run-seed.ts'
import type { CrowdMessages } from './crowd-messages.ts'
import { callSetUp, descriptionOf } from './crowd-set-up.ts'
import { messageSchema, negotiate, textsSchema } from './crowd-wire.ts'

const random = seededRandom()

const END = '\u001e'
const ACK_MS = 1_000
const PAUSE_MS = 250
const keepAlive = `{"type":6}${END}`

type CrowdOptions = {
  /** Returns the server of the next connection. */
  place: () => string
  messages: CrowdMessages
  chatEveryMs: number
  /** How late it acknowledges what it receives; as the product's page by default. */
  ackMs?: number
  /** False: as Caller it never sees the peer's picture. */
  confirms?: boolean
  /** Only holds its connection, without joining the queue. */
  isIdle?: boolean
  /** Sends what sets a call up at the beginning of each match. */
  setsCallsUp?: boolean
}

/**
 * A hub client that does what the product's page does, with protocol version 2 and the page's delays, but far lighter than the
 * official client: joins the queue, chats, reconnects.
 */
export class CrowdPerson {
  readonly user: TestUser
  session: string | null = null
  peer = ''
  /** Matches that were announced while another one went on. */
  overlaps = 0
  matchedAt = 0
  /** How long it searched for each match. */
  readonly waits: { session: string; ms: number }[] = []
  /** When it was last known to be in the queue or in a match, on its current connection. */
  inHubAt = 0
  /** When the last delivered message was sent. */
  deliveredAt = 0
  connected = false
  /** How often an established connection was lost. */
  drops = 0
  /** When the hub sent `OnUserConnected`. */
  greetedAt = 0
  /** The server of its connection. */
  at = ''
  readonly #place: () => string
  readonly #messages: CrowdMessages
  #chatEveryMs: number
  /** Grows with each change of `#chatEveryMs`. */
  #rhythm = 0
  readonly #ackMs: number
  readonly #confirms: boolean
  readonly #isIdle: boolean
  readonly #setsCallsUp: boolean
  readonly #visit = randomUUID()
  #socket: WebSocket | null = null
  #id = ''
  #token = ''
  #reattached = false
  #tries = 0
  #received = 0
  #owesAck = false
  #rest = ''
  #invocations = 0
  readonly #completions = new Map<string, (error: string | undefined) => void>()
  #sent = 0
  #isJoining = false
  #isLeaving = false
  #searchesSince: number | null = null
  #talking = false
  #stopped = false
  #wake = () => {}
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(user: TestUser, options: CrowdOptions) {
    this.user = user
    this.#ackMs = options.ackMs ?? ACK_MS
    this.#confirms = options.confirms ?? true
    this.#place = options.place
    this.#messages = options.messages
    this.#chatEveryMs = options.chatEveryMs
    this.#isIdle = options.isIdle ?? false
    this.#setsCallsUp = options.setsCallsUp ?? false
  }

  /** Connects, and retries until it is connected. */
  start(): void {
    void this.#connect()
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#socket?.terminate()
    this.#wake()
  }

  /** Terminates the socket and makes a new connection. */
  reconnect(): void {
    this.#reattached = true
    this.#socket?.terminate()
  }

  /** Sends a chat message about every `chatEveryMs` from now on. */
  startChatting(): void {
    if (this.#talking) return
    this.#talking = true
    void this.#talk()
  }

  /** Goes on with another time between two messages, which begins anew. */
  chatEvery(ms: number): void {
    this.#chatEveryMs = ms
    this.#rhythm += 1
    this.#wake()
  }

  /** Ends the match, if there is one, and joins the queue again, as the press of Next does. */
  next(): void {
    if (this.session === null || !this.connected || this.#isLeaving) return
    this.#isLeaving = true
    void this.#leave(this.session).finally(() => {
      this.#isLeaving = false
    })
  }

  /** Retries until the hub has ended the match: a join during a match does nothing. */
  async #leave(session: string): Promise<void> {
    while (!this.#stopped && this.session === session) {
      try {
        await this.#invoke('OnMatchedSessionTerminationRequested', session, this.#id)
        if (this.session === session) this.#endMatch()
      } catch (error) {
        if (String(error).includes('not-in-match') && this.session === session) this.#endMatch()
        else await this.#pause(PAUSE_MS)
      }
    }
  }

  #after(ms: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#stopped) task()
    }, ms)
    this.#timers.add(timer)
  }

  async #connect(): Promise<void> {
    const at = this.#place()
    try {
      const token = await this.user.hubToken()
      const url = `${at}/chathub`
      const query = `visit=${this.#visit}`
      const { connectionToken, connectionId } = await negotiate(
        `${url}/negotiate?${query}&negotiateVersion=1&useStatefulReconnect=true`,
        token,
      )
      this.#token = connectionToken
      this.#id = connectionId
      this.#reattached = false
      this.#open(`${url.replace('http', 'ws')}?${query}&id=${connectionToken}&access_token=${token}`, at, false)
    } catch {
      this.#retry()
    }
  }

  /** The one attempt of the official client to attach another socket to the same connection. */
  async #reattach(): Promise<void> {
    this.#reattached = true
    const at = this.#place()
    const token = await this.user.hubToken()
    this.#open(
      `${at.replace('http', 'ws')}/chathub?visit=${this.#visit}&id=${this.#token}&access_token=${token}`,
      at,
      true,
    )
  }

  #retry(): void {
    const delay = HUB_RECONNECT_DELAYS_MS[Math.min(this.#tries, HUB_RECONNECT_DELAYS_MS.length - 1)] ?? 0
    this.#tries += 1
    this.#after(delay, () => void this.#connect())
  }

  #open(url: string, at: string, again: boolean): void {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: HUB_HANDSHAKE_TIMEOUT_MS })
    this.#socket = socket
    this.#rest = ''
    socket.on('open', () => {
      this.at = at
      if (again) socket.terminate()
      else socket.send(`{"protocol":"json","version":2}${END}`)
    })
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#read(String(data))
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      if (this.#socket === socket && !this.#stopped) this.#lost()
    })
  }

  #lost(): void {
    const wasConnected = this.connected
    if (wasConnected && !this.#reattached) this.drops += 1
    this.connected = false
    this.#socket = null
    for (const [id, complete] of this.#completions) {
      this.#completions.delete(id)
      complete('gone')
    }
    if (wasConnected && !this.#reattached) void this.#reattach()
    else this.#retry()
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split(END)
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#take(part)
  }

  #take(text: string): void {
    if (text === '{}') {
      this.#received = 0
      this.#ping()
      this.#tries = 0
      this.connected = true
      this.#join()
      this.#wake()
      return
    }
    const { type, target, arguments: args = [], invocationId = '', error } = v.parse(messageSchema, JSON.parse(text))
    if (type === 7) this.#socket?.terminate()
    if (type < 1 || type > 5) return
    this.#received += 1
    if (!this.#owesAck) {
      this.#owesAck = true
      this.#after(this.#ackMs, () => this.#acknowledge())
    }
    if (type === 3) {
      const complete = this.#completions.get(invocationId)
      this.#completions.delete(invocationId)
      complete?.(error)
    } else if (target !== undefined && target !== 'OnQueueSize') this.#handleEvent(target, v.parse(textsSchema, args))
  }

  #ping(): void {
    const socket = this.#socket
    socket?.send(keepAlive)
    this.#after(HUB_KEEP_ALIVE_MS, () => {
      if (socket === this.#socket) this.#ping()
    })
  }

  #acknowledge(): void {
    this.#owesAck = false
    if (this.connected) this.#socket?.send(`{"type":8,"sequenceId":${this.#received}}${END}`)
  }

  #handleEvent(target: string, [first = '', second = '', third = '']: string[]): void {
    if (target === 'OnUserConnected') this.greetedAt = performance.now()
    if (target === 'OnUserMatched') this.#matched(second, third, first)
    if (target === 'OnOfferReceived' && this.#setsCallsUp && first === this.session)
      this.#signal(first, 'HandleAnswer', descriptionOf('answer'))
    if (target === 'OnChatMessage') {
      this.#messages.arrived(third)
      if (first === this.session) this.inHubAt = performance.now()
    }
    if (target === 'SessionTerminated' && first === this.session) this.#endMatch()
  }

  #matched(session: string, peer: string, role: string): void {
    this.inHubAt = performance.now()
    if (this.session !== null && this.session !== session) this.overlaps += 1
    const isNew = this.session !== session
    if (isNew) this.matchedAt = performance.now()
    this.session = session
    this.peer = peer
    this.#wake()
    if (this.#searchesSince !== null) this.waits.push({ session, ms: performance.now() - this.#searchesSince })
    this.#searchesSince = null
    if (isNew && this.#setsCallsUp) this.#setUp(session, role)
    if (isNew && this.#confirms && role === 'Caller')
      this.#invoke('UpdateWebRtcConnectionSuccessStatus', session).catch(() => undefined)
  }

  #setUp(session: string, role: string): void {
    this.#invoke('HandleUserNickNameAndUserEmailIdToPeer', this.peer, '', '').catch(() => undefined)
    if (role === 'Caller') this.#signal(session, 'HandleOffer', descriptionOf('offer'))
    for (const { afterMs, candidates } of callSetUp)
      this.#after(afterMs, () => {
        for (const candidate of candidates) this.#signal(session, 'HandleIceCandidate', candidate)
      })
  }

  /** The match may have ended meanwhile. */
  #signal(session: string, method: string, data: string): void {
    if (this.session === session) this.#invoke(method, session, this.peer, data).catch(() => undefined)
  }

  #endMatch(): void {
    this.session = null
    this.#join()
  }

  /** Retries until the hub has accepted a join, unless there is a match. */
  #join(): void {
    if (this.#isIdle || this.#isJoining || this.session !== null || !this.connected || this.#stopped) return
    this.#isJoining = true
    this.#searchesSince ??= performance.now()
    const id = this.#id
    this.#invoke('InitiateMatchingWithPeers', id, '[]').then(
      () => {
        this.#isJoining = false
        this.inHubAt = performance.now()
        // A match may have come and ended before this completion.
        const isIdleAgain = this.session === null && this.#searchesSince === null
        if (id !== this.#id || isIdleAgain) this.#join()
      },
      () => {
        this.#isJoining = false
        this.#after(PAUSE_MS, () => this.#join())
      },
    )
  }

  async #talk(): Promise<void> {
    let rhythm: number | null = null
    while (!this.#stopped) {
      // Not all people at the same moment.
      if (rhythm !== this.#rhythm) {
        rhythm = this.#rhythm
        await this.#pause(random() * this.#chatEveryMs)
      } else if (this.session === null || !this.connected) await this.#pause(this.#chatEveryMs)
      else await this.#sendChat(this.session)
    }
  }

  /** Retries one message until it is delivered or the match has ended. */
  async #sendChat(session: string): Promise<void> {
    this.#sent += 1
    const id = `${this.user.name}-${this.#sent}`
    this.#messages.sent(id)
    while (!this.#stopped && this.session === session) {
      const begunAt = performance.now()
      try {
        await this.#invoke('SendChatMessageToPeer', session, this.peer, 'How is the weather where you are?', id)
        this.#messages.acknowledged.add(id)
        this.inHubAt = performance.now()
        this.deliveredAt = begunAt
        await this.#pause(this.#chatEveryMs * (0.5 + random()))
        return
      } catch (error) {
        if (String(error).includes('not-in-match') && this.session === session) this.#endMatch()
        await this.#pause(PAUSE_MS)
      }
    }
  }

  #invoke(target: string, ...args: string[]): Promise<void> {
    const socket = this.#socket
    if (!socket || !this.connected) return Promise.reject(new Error('not connected'))
    this.#invocations += 1
    const invocationId = String(this.#invocations)
    socket.send(JSON.stringify({ type: 1, invocationId, target, arguments: args }) + END)
    return new Promise((resolve, reject) => {
      this.#completions.set(invocationId, (error) => (error === undefined ? resolve() : reject(new Error(error))))
    })
  }

  /** Ends early at `#wake`. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
