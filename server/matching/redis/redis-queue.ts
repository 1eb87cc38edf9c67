import { isOutage, type Pool, type PoolAnswer, type StoredQueueEntry, TakenForDead } from '../../fleet/pool.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Newcomer, Pair, QueueOptions, RegionCounts } from '../rules/match-queue.ts'
import type { Queue } from '../rules/queue.ts'
import type { QueueEntry } from '../rules/waiting-list.ts'

type Options = QueueOptions & {
  pool: Pool
  self: () => string
  clock: Clock
  /** Where it says no, a join fails without asking. */
  isAvailable?: () => boolean
}

const RETRY_MS = 250

/**
 * The queue that many servers share. A place's exclusions stay in Redis; the sets of a `QueueEntry` hold what came to them since.
 * A join fails while Redis does not answer; every other step waits for it, until a newer one about the same user.
 */
export class RedisQueue implements Queue {
  readonly #options: Options
  /** The latest step about each user that is under way. */
  readonly #latest = new Map<string, symbol>()
  /** Who is at home here and has or had a place, as far as this server knows, and the region of it. */
  readonly #waiting = new Map<string, string>()
  /** Until when the places of those are kept who are away. */
  readonly #awayUntil = new Map<string, number>()
  #next: number | null = null
  #stopped = false
  #running = 0
  #idle: (() => void)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  async join(user: string, { region, blocked, met }: Newcomer, now: number): Promise<Pair[]> {
    if (this.#options.isAvailable?.() === false) throw new Error('Redis does not answer')
    this.#latest.delete(user)
    this.#awayUntil.delete(user)
    const lot = this.#options.random()
    const pairs = await this.#step('join', { user, region, blocked: [...blocked], met: [...met], lot, now })
    if (!pairs.some(({ caller, callee }) => caller.user === user || callee.user === user))
      this.#waiting.set(user, region)
    return pairs
  }

  restore(place: QueueEntry, now: number): Promise<Pair[]> {
    const { user, region, blocked, met } = place
    this.#waiting.set(user, region)
    this.#awayUntil.delete(user)
    return this.#surely(user, 'restore', { ...place, blocked: [...blocked], met: [...met], now })
  }

  async hold(place: QueueEntry, now: number): Promise<void> {
    const { user, blocked, met } = place
    this.#awayUntil.set(user, now + this.#options.keepMs)
    await this.#surely(user, 'hold', { ...place, blocked: [...blocked], met: [...met], now })
  }

  async drop(user: string, now: number): Promise<void> {
    if (this.#waiting.has(user)) this.#awayUntil.set(user, now + this.#options.keepMs)
    await this.#surely(user, 'drop', { user, now })
  }

  resume(user: string, region: string, now: number): Promise<Pair[]> {
    this.#awayUntil.delete(user)
    return this.#surely(user, 'resume', { user, region, now })
  }

  async leave(user: string): Promise<void> {
    this.#waiting.delete(user)
    this.#awayUntil.delete(user)
    await this.#surely(user, 'leave', { user })
  }

  async block(one: string, other: string): Promise<void> {
    await this.#surely(`${one} ${other}`, 'block', { one, other })
  }

  tick(now: number): Promise<Pair[]> {
    return this.#surely('', 'tick', { now })
  }

  nextTick(): number | null {
    return this.#next
  }

  async find(user: string): Promise<{ since: number; region: string } | null> {
    const { since, region = '' } = await this.#run('find', { user })
    return since === undefined ? null : { since, region }
  }

  /** Pairs that this server is to bring together, also those of which it missed the answer. */
  unopened(): Promise<Pair[]> {
    return this.#step('unopened', {})
  }

  /** Who may have a place; Redis knows it better while it remembers. */
  waiting(): string[] {
    return [...this.#waiting.keys()]
  }

  /** Of those who are at home here. */
  counts(): RegionCounts {
    const now = this.#options.clock.now()
    const counts: RegionCounts = new Map()
    for (const [user, region] of this.#waiting) {
      const until = this.#awayUntil.get(user)
      const known = counts.get(region) ?? { waiting: 0, away: 0 }
      if (until === undefined) known.waiting += 1
      else if (until > now) known.away += 1
      counts.set(region, known)
    }
    return counts
  }

  /** The user is at home elsewhere now. */
  moved(user: string): void {
    this.#waiting.delete(user)
    this.#awayUntil.delete(user)
    this.#latest.delete(user)
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  stop(): void {
    this.#stopped = true
  }

  async #surely(subject: string, step: string, args: Record<string, unknown>): Promise<Pair[]> {
    const mine = Symbol()
    this.#latest.set(subject, mine)
    try {
      for (;;) {
        try {
          return await this.#step(step, args)
        } catch (error) {
          if (error instanceof TakenForDead) return []
          if (!isOutage(error)) throw error
        }
        if (this.#stopped) return []
        await new Promise<void>((resolve) => this.#options.clock.after(RETRY_MS, resolve))
        if (this.#latest.get(subject) !== mine) return []
      }
    } finally {
      if (this.#latest.get(subject) === mine) this.#latest.delete(subject)
    }
  }

  async #step(step: string, args: Record<string, unknown>): Promise<Pair[]> {
    const { pairs = [], since, region = '' } = await this.#run(step, args)
    if (typeof args.user === 'string' && since !== undefined) this.#waiting.set(args.user, region)
    const place = (one: StoredQueueEntry): QueueEntry => {
      this.#waiting.delete(one.user)
      this.#awayUntil.delete(one.user)
      return { ...one, blocked: new Set(), met: new Set() }
    }
    return pairs.map(({ caller, callee }) => ({ caller: place(caller), callee: place(callee) }))
  }

  async #run(step: string, args: Record<string, unknown>): Promise<PoolAnswer> {
    const { pool, self, random, relaxAfterMs: relaxAfter, spillAfterMs: spillAfter, keepMs: keep } = this.#options
    const seed = Math.floor(random() * 2 ** 31)
    this.#running += 1
    try {
      const answer = await pool.run(step, { self: self(), relaxAfter, spillAfter, keep, seed, ...args })
      this.#next = answer.next ?? null
      return answer
    } finally {
      this.#running -= 1
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }
}
