import type { Clock } from './clock.ts'
import type { Survive } from './fallback.ts'

/** How often it has happened, and how long until it is forgotten. */
export type Count = { count: number; leftMs: number }

/** Counts what happens under a key within a window of time, which begins when it happens for the first time. */
export interface Counts {
  /** Counts `amount` more, one if none is given. With 0 it returns the count as it is. */
  add(key: string, windowMs: number, amount?: number): Promise<Count>
  forget(key: string): Promise<void>
}

/** Keys that are remembered at once; the one that came first goes first. */
const KEPT_MAX = 100_000

/** Counts in memory, of this server alone. */
export class OwnCounts implements Counts {
  readonly #now: Clock['now']
  readonly #kept = new Map<string, { count: number; endsAt: number }>()

  constructor(now: Clock['now']) {
    this.#now = now
  }

  async add(key: string, windowMs: number, amount = 1): Promise<Count> {
    const now = this.#now()
    const known = this.#kept.get(key)
    if (known && known.endsAt > now) {
      known.count += amount
      return { count: known.count, leftMs: known.endsAt - now }
    }
    this.#kept.delete(key)
    if (amount === 0) return { count: 0, leftMs: 0 }
    this.#kept.set(key, { count: amount, endsAt: now + windowMs })
    for (const [oldest, { endsAt }] of this.#kept) {
      if (endsAt > now && this.#kept.size <= KEPT_MAX) break
      this.#kept.delete(oldest)
    }
    return { count: amount, leftMs: windowMs }
  }

  async forget(key: string): Promise<void> {
    this.#kept.delete(key)
  }
}

/** Counts together with other servers, and on this one alone for as long as that fails: a limit never costs an answer. */
export function survivingCounts(survive: Survive, shared: Counts, own: Counts): Counts {
  return {
    add: (key, windowMs, amount) =>
      survive(
        () => shared.add(key, windowMs, amount),
        () => own.add(key, windowMs, amount),
      ),
    async forget(key) {
      await own.forget(key)
      await survive(
        () => shared.forget(key),
        async () => undefined,
      )
    },
  }
}
