import type { Exclusions, Pair } from '../domain/match-queue.ts'
import type { Queue } from '../domain/queue.ts'
import type { Place } from '../domain/waiting-line.ts'
import type { Pool, PoolAnswer } from './pool.ts'

type Options = { pool: Pool; self: string; random: () => number; relaxAfterMs: number; keepMs: number }

/** The queue that many servers share. A place's exclusions stay in Redis; the sets of a `Place` hold what came to them since. */
export class RedisQueue implements Queue {
  readonly #options: Options
  #next: number | null = null

  constructor(options: Options) {
    this.#options = options
  }

  join(user: string, { blocked, met }: Exclusions, now: number): Promise<Pair[]> {
    const lot = this.#options.random()
    return this.#pairs('join', { user, blocked: [...blocked], met: [...met], lot, now })
  }

  restore({ user, since, lot, blocked }: Place, now: number): Promise<Pair[]> {
    return this.#pairs('restore', { user, since, lot, blocked: [...blocked], now })
  }

  async hold({ user, since, lot, blocked }: Place, now: number): Promise<void> {
    await this.#run('hold', { user, since, lot, blocked: [...blocked], now })
  }

  async drop(user: string, now: number): Promise<void> {
    await this.#run('drop', { user, now })
  }

  resume(user: string, now: number): Promise<Pair[]> {
    return this.#pairs('resume', { user, now })
  }

  async leave(user: string): Promise<void> {
    await this.#run('leave', { user })
  }

  async block(one: string, other: string): Promise<void> {
    await this.#run('block', { one, other })
  }

  tick(now: number): Promise<Pair[]> {
    return this.#pairs('tick', { now })
  }

  nextTick(): number | null {
    return this.#next
  }

  async find(user: string): Promise<{ since: number } | null> {
    const { since } = await this.#run('find', { user })
    return since === undefined ? null : { since }
  }

  /** Pairs that this server is to bring together, also those of which it missed the answer. */
  unopened(): Promise<Pair[]> {
    return this.#pairs('unopened', {})
  }

  async #pairs(step: string, args: Record<string, unknown>): Promise<Pair[]> {
    const { pairs = [] } = await this.#run(step, args)
    const place = (one: { user: string; since: number; lot: number }): Place => ({
      ...one,
      blocked: new Set(),
      met: new Set(),
    })
    return pairs.map(({ caller, callee }) => ({ caller: place(caller), callee: place(callee) }))
  }

  async #run(step: string, args: Record<string, unknown>): Promise<PoolAnswer> {
    const { pool, self, random, relaxAfterMs: relaxAfter, keepMs: keep } = this.#options
    const seed = Math.floor(random() * 2 ** 31)
    const answer = await pool.run(step, { self, relaxAfter, keep, seed, ...args })
    this.#next = answer.next ?? null
    return answer
  }
}
