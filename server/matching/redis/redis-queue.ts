import { FencedError, isOutage, type Pool, type PoolReply, type StoredQueueEntry } from '../../fleet/pool.ts'
import { type Clock, pause } from '../../platform/rules/clock.ts'
import type { Newcomer, Pair, QueueOptions, RegionCounts } from '../rules/match-queue.ts'
import type { FoundEntry, Queue, WaitingUsers } from '../rules/queue.ts'
import { Speakers } from '../rules/speakers.ts'
import type { QueueEntry } from '../rules/waiting-list.ts'

type Options = QueueOptions & {
  pool: Pool
  self: () => string
  clock: Clock
  /** While it returns false, a join rejects without a request to Redis. */
  isAvailable?: () => boolean
}

const RETRY_MS = 250

/**
 * The queue that many servers share. The exclusions of an entry stay in Redis; the sets of a `QueueEntry` contain those added
 * since it was paired. A join rejects while Redis does not reply; every other step is retried until it succeeds or a newer
 * step about the same user begins.
 */
export class RedisQueue implements Queue {
  readonly #options: Options
  /** The latest step about each user that is in progress. */
  readonly #latest = new Map<string, symbol>()
  /** The regions of home users who may have an entry, by user. */
  readonly #regions = new Map<string, string>()
  /** When the entries of absent users expire, by user. */
  readonly #absentUntil = new Map<string, number>()
  /** The users of `#regions` who are not absent. */
  readonly #waiting = new Set<string>()
  readonly #speakers = new Speakers()
  /** The languages of the users of `#regions`, as far as this server knows them. */
  readonly #languages = new Map<string, readonly string[]>()
  #next: number | null = null
  #isRetrying = true
  #running = 0
  #idle: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** The waiting home users, as far as this server knows: another server may just have paired one of them. */
  get waiting(): WaitingUsers {
    return this.#waiting
  }

  get speakers(): Pick<Speakers, 'counts' | 'of'> {
    return this.#speakers
  }

  async join(user: string, { blocked, met, ...newcomer }: Newcomer, now: number): Promise<Pair[]> {
    if (this.#options.isAvailable?.() === false) throw new Error('Redis does not answer')
    this.#latest.delete(user)
    this.#setPresent(user)
    const lot = this.#options.random()
    const pairs = await this.#step('join', { user, ...newcomer, blocked: [...blocked], met: [...met], lot, now })
    if (!pairs.some(({ caller, callee }) => caller.user === user || callee.user === user)) {
      this.#languages.set(user, newcomer.languages)
      this.#addUser(user, newcomer.region)
    }
    return pairs
  }

  restore(entry: QueueEntry, now: number): Promise<Pair[]> {
    const { user, region, languages, blocked, met } = entry
    this.#absentUntil.delete(user)
    this.#languages.set(user, languages)
    this.#addUser(user, region)
    return this.#retryUntilDone(user, 'restore', { ...entry, blocked: [...blocked], met: [...met], now })
  }

  async hold(entry: QueueEntry, now: number): Promise<void> {
    const { user, blocked, met } = entry
    this.#setAbsent(user, now)
    await this.#retryUntilDone(user, 'hold', { ...entry, blocked: [...blocked], met: [...met], now })
  }

  async drop(user: string, now: number): Promise<void> {
    if (this.#regions.has(user)) this.#setAbsent(user, now)
    await this.#retryUntilDone(user, 'drop', { user, now })
  }

  resume(user: string, region: string, now: number): Promise<Pair[]> {
    this.#setPresent(user)
    return this.#retryUntilDone(user, 'resume', { user, region, now })
  }

  async leave(user: string): Promise<void> {
    this.#removeUser(user)
    await this.#retryUntilDone(user, 'leave', { user })
  }

  async block(one: string, other: string): Promise<void> {
    await this.#retryUntilDone(`${one} ${other}`, 'block', { one, other })
  }

  tick(now: number): Promise<Pair[]> {
    return this.#retryUntilDone('', 'tick', { now })
  }

  nextTick(): number | null {
    return this.#next
  }

  async find(user: string): Promise<FoundEntry | null> {
    const { since, region = '', apart = false } = await this.#run('find', { user })
    return since === undefined ? null : { since, region, apart }
  }

  /** Resolves with the pairs that this server is to bring together, including those of a reply that was lost. */
  unopened(): Promise<Pair[]> {
    return this.#step('unopened', {})
  }

  /** Returns the users whose entries must be restored in a Redis that has lost them. */
  users(): string[] {
    return [...this.#regions.keys()]
  }

  counts(): RegionCounts {
    const now = this.#options.clock.now()
    const counts: RegionCounts = new Map()
    for (const [user, region] of this.#regions) {
      const until = this.#absentUntil.get(user)
      const known = counts.get(region) ?? { waiting: 0, away: 0 }
      if (until === undefined) known.waiting += 1
      else if (until > now) known.away += 1
      counts.set(region, known)
    }
    return counts
  }

  /** The user's home is another server now: removes what this server stores of the user and ends retries. */
  moveOut(user: string): void {
    this.#removeUser(user)
    this.#latest.delete(user)
  }

  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  stopRetries(): void {
    this.#isRetrying = false
  }

  #addUser(user: string, region: string): void {
    this.#regions.set(user, region)
    if (!this.#absentUntil.has(user)) this.#addWaiting(user)
  }

  #setAbsent(user: string, now: number): void {
    this.#absentUntil.set(user, now + this.#options.keepMs)
    this.#removeWaiting(user)
  }

  #addWaiting(user: string): void {
    this.#waiting.add(user)
    this.#speakers.add(user, this.#languages.get(user) ?? [])
  }

  #removeWaiting(user: string): void {
    this.#waiting.delete(user)
    this.#speakers.remove(user)
  }

  #setPresent(user: string): void {
    this.#absentUntil.delete(user)
    if (this.#regions.has(user)) this.#addWaiting(user)
  }

  #removeUser(user: string): void {
    this.#regions.delete(user)
    this.#absentUntil.delete(user)
    this.#languages.delete(user)
    this.#removeWaiting(user)
  }

  async #retryUntilDone(subject: string, step: string, args: Record<string, unknown>): Promise<Pair[]> {
    const mine = Symbol()
    this.#latest.set(subject, mine)
    try {
      for (;;) {
        try {
          return await this.#step(step, args)
        } catch (error) {
          if (error instanceof FencedError) return []
          if (!isOutage(error)) throw error
        }
        if (!this.#isRetrying) return []
        await pause(this.#options.clock, RETRY_MS)
        if (this.#latest.get(subject) !== mine) return []
      }
    } finally {
      if (this.#latest.get(subject) === mine) this.#latest.delete(subject)
    }
  }

  async #step(step: string, args: Record<string, unknown>): Promise<Pair[]> {
    const { pairs = [], since, region = '' } = await this.#run(step, args)
    if (typeof args.user === 'string' && since !== undefined) this.#addUser(args.user, region)
    const entryOf = (stored: StoredQueueEntry): QueueEntry => {
      this.#removeUser(stored.user)
      return { ...stored, blocked: new Set(), met: new Set() }
    }
    return pairs.map(({ caller, callee }) => ({ caller: entryOf(caller), callee: entryOf(callee) }))
  }

  async #run(step: string, args: Record<string, unknown>): Promise<PoolReply> {
    const { pool, self, random, languageCrowd, keepMs: keep } = this.#options
    const { languageAfterMs: languageAfter, anybodyAfterMs: anybodyAfter } = this.#options
    const { spillAfterMs: spillAfter, apartAfterMs: apartAfter, relaxAfterMs: relaxAfter } = this.#options
    const times = { languageAfter, anybodyAfter, spillAfter, apartAfter, relaxAfter, keep }
    const yields = !this.#isRetrying
    const seed = Math.floor(random() * 2 ** 31)
    this.#running += 1
    try {
      const reply = await pool.run(step, { self: self(), ...times, languageCrowd, seed, yields, ...args })
      // A server that does not run the ticks need not know when they are due.
      this.#next = reply.ticks ? (reply.next ?? null) : null
      return reply
    } finally {
      this.#running -= 1
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }
}
