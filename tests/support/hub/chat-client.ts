import { randomUUID } from 'node:crypto'
import type { HubConnection } from '@microsoft/signalr'
import type { TestUser } from '../fleet/many-servers.ts'
import { StateChanges } from '../state-changes.ts'
import { buildOfficialClient } from './official-client.ts'

const RETRY_MS = 100
/** Longer than any test. */
const RECONNECT_DELAYS_MS = Array.from({ length: 10_000 }, () => RETRY_MS)

export type HubUser = { name: string; hubToken: () => Promise<string> }

/** The official client doing what a browser does: joins the queue, chats, and reconnects after every loss. */
export class ChatClient<User extends HubUser = TestUser> {
  readonly user: User
  readonly connection: HubConnection
  session: string | null = null
  peer: string | null = null
  /** Every match that was announced to it. */
  readonly matches: string[] = []
  /** Matches that were announced while another one went on. */
  readonly overlaps: string[] = []
  /** How often each message was received, by id, in the order of the first time. */
  readonly received = new Map<string, number>()
  /** Messages that the hub has confirmed as delivered, with the match of each. */
  readonly acknowledged: { id: string; session: string }[] = []
  /** How often the hub has accepted a join. */
  joins = 0
  #sent = 0
  #stopped = false
  #joining: Promise<void> | null = null
  readonly #pending = new Set<(error: Error) => void>()
  readonly #changes = new StateChanges()

  constructor(url: string, user: User) {
    this.user = user
    this.connection = buildOfficialClient(`${url}/chathub?visit=${randomUUID()}`, user.hubToken, {
      isStateful: true,
      reconnectDelaysMs: RECONNECT_DELAYS_MS,
    })
    this.connection.on('OnUserMatched', (role, session, peer) => this.#startMatch(role, session, peer))
    this.connection.on('SessionTerminated', (session) => {
      if (session === this.session) this.#endMatch()
    })
    this.connection.on('OnChatMessage', (_session, _text, id) => {
      this.received.set(id, (this.received.get(id) ?? 0) + 1)
      this.#changes.notify()
    })
    this.connection.onreconnected(() => {
      this.#rejectPending()
      this.joinQueue()
    })
    this.connection.onclose(() => {
      this.#rejectPending()
      void this.#restart()
    })
  }

  get name(): string {
    return this.user.name
  }

  async start(): Promise<void> {
    await this.connection.start()
    this.joinQueue()
  }

  /** Retries until the hub has accepted a join, unless there is a match. */
  joinQueue(): void {
    this.#joining ??= this.#retryJoin().finally(() => {
      this.#joining = null
    })
  }

  async #retryJoin(): Promise<void> {
    while (!this.#stopped && this.session === null) {
      try {
        const { connectionId } = this.connection
        await this.#invoke('InitiateMatchingWithPeers', connectionId, '[]')
        if (connectionId !== this.connection.connectionId) continue
        this.joins += 1
        this.#changes.notify()
        return
      } catch {
        await this.#pause()
      }
    }
  }

  /** Sends one message to the partner until it is delivered. Resolves with its id, or with null when the match ended before. */
  async sendChat(): Promise<string | null> {
    const { session } = this
    this.#sent += 1
    const id = `${this.name}-${this.#sent}`
    while (!this.#stopped && this.session === session && session !== null) {
      try {
        await this.#invoke('SendChatMessageToPeer', session, this.peer, 'hi', id)
        this.acknowledged.push({ id, session })
        this.#changes.notify()
        return id
      } catch (error) {
        const reason = String(error)
        // A partner who reconnects has another connection id; the earlier ids stay valid.
        if (reason.includes('not-in-match') && this.session === session) {
          this.#endMatch()
          return null
        }
        await this.#pause()
      }
    }
    return null
  }

  /** Retries until the hub has accepted a report that blocks the partner. */
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

  /** Sends messages until the test ends, in whatever match there is. */
  async keepChatting(): Promise<void> {
    while (!this.#stopped) {
      await this.until(() => this.session !== null || this.#stopped)
      await this.sendChat()
      await this.#pause()
    }
  }

  until(holds: () => boolean): Promise<void> {
    return this.#changes.until(holds)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#rejectPending()
    this.#changes.notify()
    await this.connection.stop()
  }

  /** An invocation while the library reconnects is sometimes neither sent nor rejected. */
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

  #rejectPending(): void {
    const pending = [...this.#pending]
    this.#pending.clear()
    for (const reject of pending) reject(new Error('another connection'))
  }

  #startMatch(role: string, session: string, peer: string): void {
    if (this.session === session) {
      this.peer = peer
      return
    }
    this.matches.push(session)
    if (this.session !== null) this.overlaps.push(session)
    this.session = session
    this.peer = peer
    this.#changes.notify()
    if (role === 'Caller') void this.#confirm(session)
  }

  /** Retries until the hub has heard that the call was set up; otherwise it ends the match after its timeout. */
  async #confirm(session: string): Promise<void> {
    while (!this.#stopped && this.session === session) {
      try {
        await this.#invoke('UpdateWebRtcConnectionSuccessStatus', session)
        return
      } catch {
        await this.#pause()
      }
    }
  }

  #endMatch(): void {
    this.session = null
    this.peer = null
    this.#changes.notify()
    this.joinQueue()
  }

  async #restart(): Promise<void> {
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
}
