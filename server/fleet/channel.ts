import type { Clock } from '../platform/rules/clock.ts'
import type { Pool } from './pool.ts'

/** Time without an acknowledgement before a message is sent again. */
const RESEND_MS = 2_000
const ROUND_MS = 250
/** Messages to one server that are sent again in one round. */
const RESEND_COUNT = 2_000

type Sent = { n: number; text: string; sentAt: number }
/** `failed` is set when a write failed: new messages wait for the next round, so that they stay in order. */
type Outgoing = { next: number; unacknowledged: Sent[]; failed: boolean }
type Incoming = { last: number; acknowledged: number }

type Options = { pool: Pool; clock: Clock; self: () => string; deliver: (from: string, message: unknown) => void }

/**
 * Messages between servers, over one Redis stream for each receiver. Messages are numbered for each pair of servers and acknowledged by the
 * receiver. While both servers live, each message arrives once and in order, even when Redis was unreachable or lost its data.
 */
export class Channel {
  readonly #options: Options
  readonly #outgoing = new Map<string, Outgoing>()
  readonly #incoming = new Map<string, Incoming>()
  readonly #dead = new Set<string>()
  #writing = 0
  #written: (() => void)[] = []
  #cancelRound: () => void = () => undefined

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#cancelRound()
    this.#cancelRound = this.#options.clock.after(ROUND_MS, () => this.#round())
  }

  send(to: string, message: object): void {
    if (this.#dead.has(to)) return
    const link = this.#outgoing.get(to) ?? { next: 1, unacknowledged: [], failed: false }
    this.#outgoing.set(to, link)
    const sent = { n: link.next, text: JSON.stringify(message), sentAt: this.#options.clock.now() }
    link.next += 1
    link.unacknowledged.push(sent)
    if (!link.failed) this.#write(to, link, sent)
  }

  /** Takes one entry of this server's stream: a message, an acknowledgement, or both. */
  receive({ f: from, n, a, m }: Partial<Record<string, string>>): void {
    if (from === undefined || this.#dead.has(from)) return
    if (a !== undefined) this.#acknowledged(from, Number(a))
    if (n === undefined || m === undefined) return
    const link = this.#incoming.get(from) ?? { last: 0, acknowledged: 0 }
    this.#incoming.set(from, link)
    const number = Number(n)
    if (number !== link.last + 1) {
      // A duplicate: the acknowledgement is sent again, since the sender has not received it.
      if (number <= link.last) link.acknowledged = -1
      return
    }
    link.last = number
    this.#options.deliver(from, JSON.parse(m))
  }

  /** From now on, drops messages from that server and to it. */
  markDead(server: string): void {
    this.#dead.add(server)
    this.#outgoing.delete(server)
    this.#incoming.delete(server)
  }

  /** Drops all messages and numbers, for a server that continues under a new id. */
  clear(): void {
    this.#outgoing.clear()
    this.#incoming.clear()
  }

  async flush(): Promise<void> {
    if (this.#writing > 0) await new Promise<void>((resolve) => this.#written.push(resolve))
  }

  stop(): void {
    this.#cancelRound()
  }

  #acknowledged(from: string, upTo: number): void {
    const unacknowledged = this.#outgoing.get(from)?.unacknowledged
    const count = unacknowledged ? unacknowledged.findIndex(({ n }) => n > upTo) : 0
    if (unacknowledged) unacknowledged.splice(0, count === -1 ? unacknowledged.length : count)
  }

  #write(to: string, link: Outgoing, { n, text }: Sent): void {
    const { pool, self } = this.#options
    const received = this.#incoming.get(to)
    const fields: Record<string, string> = { f: self(), n: String(n), m: text }
    if (received) {
      received.acknowledged = received.last
      fields.a = String(received.last)
    }
    const settled = (isWritten: boolean) => {
      if (!isWritten) link.failed = true
      this.#writing -= 1
      if (this.#writing === 0) for (const resolve of this.#written.splice(0)) resolve()
    }
    this.#writing += 1
    pool.client.xAddNoMkStream(pool.key('to', to), '*', fields).then(
      // Null when the receiver has no stream: it has left, or Redis has lost its data.
      (id: unknown) => settled(id !== null),
      () => settled(false),
    )
  }

  #round(): void {
    const { pool, self, clock } = this.#options
    const now = clock.now()
    for (const [to, link] of this.#outgoing) {
      const oldest = link.unacknowledged[0]
      if (!oldest || !pool.client.isReady || !(link.failed || now - oldest.sentAt >= RESEND_MS)) continue
      link.failed = false
      for (const sent of link.unacknowledged.slice(0, RESEND_COUNT)) {
        sent.sentAt = now
        this.#write(to, link, sent)
      }
    }
    for (const [from, link] of this.#incoming) {
      if (link.acknowledged === link.last || !pool.client.isReady) continue
      link.acknowledged = link.last
      const fields = { f: self(), a: String(link.last) }
      const failed = () => {
        link.acknowledged = -1
      }
      pool.client.xAddNoMkStream(pool.key('to', from), '*', fields).catch(failed)
    }
    this.#cancelRound = clock.after(ROUND_MS, () => this.#round())
  }
}
