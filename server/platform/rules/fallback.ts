import { type Clock, withinMs } from './clock.ts'

/** Longest time that a request waits for other servers. */
const TIMEOUT_MS = 250
/** Time after a fault in which `alone` runs without an attempt at `together`. */
const RETRY_MS = 1_000

/** Does the work with what all servers share; with what this server has alone where that fails or takes too long. */
export type Fallback = <Store, Result>(
  shared: Store,
  own: Store,
  work: (store: Store) => Promise<Result>,
) => Promise<Result>

const onLate = () => new Error('The other servers took too long')

/** Calls `changed` when this server begins to work alone, and when it stops working alone. */
export function createFallback(clock: Clock, changed: (alone: boolean, error: unknown) => void): Fallback {
  let isAlone = false
  let retryAt = 0

  function report(now: boolean, error?: unknown): void {
    if (isAlone !== now) changed(now, error)
    isAlone = now
  }

  return async (shared, own, work) => {
    if (clock.now() < retryAt) return work(own)
    try {
      const result = await withinMs(work(shared), { clock, ms: TIMEOUT_MS, onLate })
      report(false)
      return result
    } catch (error) {
      retryAt = clock.now() + RETRY_MS
      report(true, error)
      return work(own)
    }
  }
}
