import type { Clock } from './ports.ts'

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

/** Nobody is to wait for a limit. */
const PATIENCE_MS = 250
/** After a fault the others are asked again this soon. */
const RETRY_MS = 1_000

/**
 * Counts together with other servers, and on this one alone for as long as that fails or takes too long: a limit never costs an answer.
 * `changed` is told when it begins to count alone, and when it no longer does.
 */
export function createSurvivingCounts(deps: {
  shared: Counts
  own: Counts
  clock: Clock
  changed: (alone: boolean, error: unknown) => void
}): Counts {
  const { shared, own, clock, changed } = deps
  let alone = false
  let askAgainAt = 0

  function note(now: boolean, error?: unknown): void {
    if (alone !== now) changed(now, error)
    alone = now
  }

  function inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(PATIENCE_MS, () => reject(new Error('It took too long to count together')))
      work.then(resolve, reject).finally(cancel)
    })
  }

  async function either<T>(together: () => Promise<T>, byMyself: () => Promise<T>): Promise<T> {
    if (clock.now() < askAgainAt) return byMyself()
    try {
      const answer = await inTime(together())
      note(false)
      return answer
    } catch (error) {
      askAgainAt = clock.now() + RETRY_MS
      note(true, error)
      return byMyself()
    }
  }

  return {
    add: (key, windowMs) =>
      either(
        () => shared.add(key, windowMs),
        () => own.add(key, windowMs),
      ),
    async forget(key) {
      await own.forget(key)
      await either(
        () => shared.forget(key),
        async () => undefined,
      )
    },
  }
}
