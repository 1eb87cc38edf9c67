import type { Clock } from '../platform/rules/clock.ts'
import type { Pool } from './pool.ts'

/** What was not acknowledged for so long is sent again. */
const RESEND_MS = 2_000
const ROUND_MS = 250
/** So many letters go again at a time. */
const RESEND_COUNT = 2_000

type QueuedEmail = { n: number; text: string; sentAt: number }
type Outgoing = { next: number; unacknowledged: QueuedEmail[]; broken: boolean }
type Incoming = { last: number; acknowledged: number }

type Options = { pool: Pool; clock: Clock; self: () => string; deliver: (from: string, mail: unknown) => void }

/**
 * Letters between servers, by the Redis Stream of each. Numbers and acknowledgements of our own make that a Redis that was
 * gone, or has lost its memory, loses, doubles and reorders nothing between two servers that live.
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

  send(to: string, mail: object): void {
    if (this.#dead.has(to)) return
    let link = this.#outgoing.get(to)
    if (!link) {
      link = { next: 1, unacknowledged: [], broken: false }
      this.#outgoing.set(to, link)
    }
    const letter = { n: link.next, text: JSON.stringify(mail), sentAt: this.#options.clock.now() }
    link.next += 1
    link.unacknowledged.push(letter)
    if (!link.broken) this.#write(to, link, letter)
  }

  /** Takes what stood in this server's stream. */
  receive({ f: from, n, a, m }: Partial<Record<string, string>>): void {
    if (from === undefined || this.#dead.has(from)) return
    if (a !== undefined) this.#acknowledged(from, Number(a))
    if (n === undefined || m === undefined) return
    let link = this.#incoming.get(from)
    if (!link) {
      link = { last: 0, acknowledged: 0 }
      this.#incoming.set(from, link)
    }
    const number = Number(n)
    if (number !== link.last + 1) {
      // It has come already, and the sender does not know.
      if (number <= link.last) link.acknowledged = -1
      return
    }
    link.last = number
    this.#options.deliver(from, JSON.parse(m))
  }

  /** Nothing comes from that server any more, and nothing goes there. */
  bury(server: string): void {
    this.#dead.add(server)
    this.#outgoing.delete(server)
    this.#incoming.delete(server)
  }

  /** Forgets everything; for a server that goes on under another name. */
  clear(): void {
    this.#outgoing.clear()
    this.#incoming.clear()
  }

  /** Resolves when everything has been written once. */
  async flush(): Promise<void> {
    if (this.#writing > 0) await new Promise<void>((resolve) => this.#written.push(resolve))
  }

  stop(): void {
    this.#cancelRound()
  }

  #acknowledged(from: string, upTo: number): void {
    const letters = this.#outgoing.get(from)?.unacknowledged
    const count = letters ? letters.findIndex(({ n }) => n > upTo) : 0
    if (letters) letters.splice(0, count === -1 ? letters.length : count)
  }

  #write(to: string, link: Outgoing, letter: QueuedEmail): void {
    const { pool, self } = this.#options
    const last = this.#incoming.get(to)
    const fields: Record<string, string> = { f: self(), n: String(letter.n), m: letter.text }
    if (last) {
      last.acknowledged = last.last
      fields.a = String(last.last)
    }
    const settled = (isWritten: boolean) => {
      if (!isWritten) link.broken = true
      this.#writing -= 1
      if (this.#writing === 0) for (const resolve of this.#written.splice(0)) resolve()
    }
    this.#writing += 1
    pool.client.xAddNoMkStream(pool.key('to', to), '*', fields).then(
      // Null for a server that has no stream: it is gone, or Redis has forgotten it.
      (id: unknown) => settled(id !== null),
      () => settled(false),
    )
  }

  #round(): void {
    const { pool, self, clock } = this.#options
    const now = clock.now()
    for (const [to, link] of this.#outgoing) {
      const oldest = link.unacknowledged[0]
      if (!oldest || !pool.client.isReady || !(link.broken || now - oldest.sentAt >= RESEND_MS)) continue
      link.broken = false
      for (const letter of link.unacknowledged.slice(0, RESEND_COUNT)) {
        letter.sentAt = now
        this.#write(to, link, letter)
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
