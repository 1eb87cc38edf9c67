import { randomUUID } from 'node:crypto'
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import type { TestUser } from '../fleet/many-servers.ts'

const RETRY_MS = 100

/** Somebody who does on the hub what a browser does: looks for a partner, talks, and comes back whatever happens. */
export class ChatClient {
  readonly user: TestUser
  readonly connection: HubConnection
  session: string | null = null
  peer: string | null = null
  /** Every match of which this one was told. */
  readonly matches: string[] = []
  /** Matches that came while another one was going on. */
  readonly overlaps: string[] = []
  /** Messages by id, in the order in which they came first; how often each came. */
  readonly received = new Map<string, number>()
  /** Ids of messages that the hub said have arrived, with the session in which they were said. */
  readonly acknowledged: { id: string; session: string }[] = []
  /** How often the hub took this one's wish for a partner. */
  joins = 0
  sent = 0
  #stopped = false
  #looking: Promise<void> | null = null
  readonly #pending = new Set<(error: Error) => void>()
  #waiting = new Set<() => void>()

  constructor(url: string, user: TestUser) {
    this.user = user
    this.connection = new HubConnectionBuilder()
      .withUrl(`${url}/chathub?visit=${randomUUID()}`, {
        accessTokenFactory: user.hubToken,
        transport: HttpTransportType.WebSockets,
      })
      .withStatefulReconnect()
      .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => RETRY_MS })
      .configureLogging(LogLevel.None)
      .build()
    this.connection.on('OnUserMatched', (role, session, peer) => this.#matched(role, session, peer))
    this.connection.on('SessionTerminated', (session) => {
      if (session === this.session) this.#over()
    })
    this.connection.on('OnChatMessage', (_session, _text, id) => {
      this.received.set(id, (this.received.get(id) ?? 0) + 1)
      this.#wake()
    })
    this.connection.onreconnected(() => {
      this.#giveUp()
      this.joinQueue()
    })
    this.connection.onclose(() => {
      this.#giveUp()
      void this.#again()
    })
  }

  get name(): string {
    return this.user.name
  }

  async start(): Promise<void> {
    await this.connection.start()
    this.joinQueue()
  }

  /** Asks for a partner until the hub has taken it, unless there is one. */
  joinQueue(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
  }

  async #look(): Promise<void> {
    while (!this.#stopped && this.session === null) {
      try {
        const { connectionId } = this.connection
        await this.#invoke('InitiateMatchingWithPeers', connectionId, '[]')
        if (connectionId !== this.connection.connectionId) continue
        this.joins += 1
        this.#wake()
        return
      } catch {
        await this.#pause()
      }
    }
  }

  /** Says one thing to the partner, again and again until it has arrived. Answers its id; null when the session ended before. */
  async sendChat(): Promise<string | null> {
    const { session } = this
    this.sent += 1
    const id = `${this.name}-${this.sent}`
    while (!this.#stopped && this.session === session && session !== null) {
      try {
        await this.#invoke('SendChatMessageToPeer', session, this.peer, 'hi', id)
        this.acknowledged.push({ id, session })
        this.#wake()
        return id
      } catch (error) {
        const reason = String(error)
        // A partner who comes back has another connection; the earlier ones stay valid.
        if (reason.includes('not-in-match') && this.session === session) {
          this.#over()
          return null
        }
        await this.#pause()
      }
    }
    return null
  }

  /** Reports and blocks the partner, again and again until the hub has taken it. */
  async report(): Promise<void> {
    const { connectionId } = this.connection
    for (;;) {
      try {
        await this.#invoke('HandleReportedUser', connectionId, this.peer, 'BlockAndReport')
        return
      } catch {
        await this.#pause()
      }
    }
  }

  /** Says one thing after the other until the test ends, and looks for somebody new when there is nobody. */
  async keepChatting(): Promise<void> {
    while (!this.#stopped) {
      await this.until(() => this.session !== null || this.#stopped)
      await this.sendChat()
      await this.#pause()
    }
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#giveUp()
    this.#wake()
    await this.connection.stop()
  }

  /** What is invoked while the library reconnects is sometimes neither sent nor rejected. */
  async #invoke(method: string, ...args: unknown[]): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#pending.add(reject)
      const done = () => this.#pending.delete(reject)
      this.connection
        .invoke(method, ...args)
        .then(resolve, reject)
        .finally(done)
    })
  }

  #giveUp(): void {
    const pending = [...this.#pending]
    this.#pending.clear()
    for (const reject of pending) reject(new Error('another connection'))
  }

  #matched(role: string, session: string, peer: string): void {
    if (this.session === session) {
      this.peer = peer
      return
    }
    this.matches.push(session)
    if (this.session !== null) this.overlaps.push(session)
    this.session = session
    this.peer = peer
    this.#wake()
    if (role === 'Caller') this.connection.invoke('UpdateWebRtcConnectionSuccessStatus', session).catch(() => undefined)
  }

  #over(): void {
    this.session = null
    this.peer = null
    this.#wake()
    this.joinQueue()
  }

  async #again(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.connection.start()
        this.joinQueue()
        return
      } catch {
        await this.#pause()
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }
}
