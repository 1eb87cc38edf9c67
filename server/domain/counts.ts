import type { Clock } from './ports.ts'
import type { Survive } from './surviving.ts'

/** How often it has happened, and how long until it is forgotten. */
export type Count = { count: number; leftMs: number }

/** Counts what happens under a key within a window of time, which begins when it happens for the first time. */
export interface Counts {
  /** Counts one more. */
  add(key: string, windowMs: number): Promise<Count>
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

  async add(key: string, windowMs: number): Promise<Count> {
    const now = this.#now()
    const known = this.#kept.get(key)
    if (known && known.endsAt > now) {
      known.count += 1
      return { count: known.count, leftMs: known.endsAt - now }
    }
    this.#kept.delete(key)
    this.#kept.set(key, { count: 1, endsAt: now + windowMs })
    for (const [oldest, { endsAt }] of this.#kept) {
      if (endsAt > now && this.#kept.size <= KEPT_MAX) break
      this.#kept.delete(oldest)
    }
    return { count: 1, leftMs: windowMs }
  }

  async forget(key: string): Promise<void> {
    this.#kept.delete(key)
  }
}

/** Counts together with other servers, and on this one alone for as long as that fails: a limit never costs an answer. */
export function survivingCounts(survive: Survive, shared: Counts, own: Counts): Counts {
  return {
    add: (key, windowMs) =>
      survive(
        () => shared.add(key, windowMs),
        () => own.add(key, windowMs),
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
