import type { Clock } from './clock.ts'
import { withinMs } from './within-ms.ts'

/** Longest time that a request waits for other servers. */
const TIMEOUT_MS = 250
/** Time after a fault in which `alone` runs without an attempt at `together`. */
const RETRY_MS = 1_000

/** Runs `together`, which needs other servers; runs `alone` if `together` fails or takes too long. */
export type Fallback = <T>(together: () => Promise<T>, alone: () => Promise<T>) => Promise<T>

const onLate = () => new Error('The other servers took too long')

/** Calls `changed` when this server begins to work alone, and when it stops working alone. */
export function createFallback(clock: Clock, changed: (alone: boolean, error: unknown) => void): Fallback {
  let isAlone = false
  let retryAt = 0

  function report(now: boolean, error?: unknown): void {
    if (isAlone !== now) changed(now, error)
    isAlone = now
  }

  return async (together, alone) => {
    if (clock.now() < retryAt) return alone()
    try {
      const result = await withinMs(together(), { clock, ms: TIMEOUT_MS, onLate })
      report(false)
      return result
    } catch (error) {
      retryAt = clock.now() + RETRY_MS
      report(true, error)
      return alone()
    }
  }
}
