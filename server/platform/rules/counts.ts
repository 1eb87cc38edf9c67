import type { Clock } from './clock.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { Fallback } from './fallback.ts'

/** A count, and the milliseconds until its window ends. */
export type Count = { count: number; leftMs: number }

/** Counts events by key within a window of time, which begins with the first event. */
export interface Counts {
  /** Adds `amount`, which is 1 by default. Resolves with the new count. */
  add(key: string, windowMs: number, amount?: number): Promise<Count>
  forget(key: string): Promise<void>
}

/** The largest number of keys; above it, the key whose window began first is dropped. */
const KEPT_MAX = 100_000

/** Counts in memory, of this server only. */
export class LocalCounts implements Counts {
  readonly #now: Clock['now']
  readonly #windows = new ExpiringMap<string, { count: number; endsAt: number }>(0, KEPT_MAX)

  constructor(now: Clock['now']) {
    this.#now = now
  }

  async add(key: string, windowMs: number, amount = 1): Promise<Count> {
    const now = this.#now()
    const window = this.#windows.get(key, now)
    if (window) {
      window.count += amount
      return { count: window.count, leftMs: window.endsAt - now }
    }
    if (amount === 0) return { count: 0, leftMs: 0 }
    // The length of the window may differ by key.
    this.#windows.set(key, { count: amount, endsAt: now + windowMs }, now, windowMs)
    return { count: amount, leftMs: windowMs }
  }

  async forget(key: string): Promise<void> {
    this.#windows.delete(key)
  }
}

/** Counts of all servers together; while Redis fails, counts of this server only, so that no request fails. */
export function countsWithFallback(fallback: Fallback, shared: Counts, own: Counts): Counts {
  return {
    add: (key, windowMs, amount) =>
      fallback(
        () => shared.add(key, windowMs, amount),
        () => own.add(key, windowMs, amount),
      ),
    async forget(key) {
      await own.forget(key)
      await fallback(
        () => shared.forget(key),
        async () => undefined,
      )
    },
  }
}
