import type { Clock } from './clock.ts'
import { withinMs } from './within-ms.ts'

/** The longest that a request waits for other servers. */
const TIMEOUT_MS = 250
/** Time after a fault in which the work is done alone without another attempt. */
const RETRY_MS = 1_000

/** Does something together with other servers, or alone where that fails or takes too long. */
export type Survive = <T>(together: () => Promise<T>, alone: () => Promise<T>) => Promise<T>

const onLate = () => new Error('The other servers took too long')

/** Calls `changed` when this server begins to work alone, and when it no longer does. */
export function createSurvive(clock: Clock, changed: (alone: boolean, error: unknown) => void): Survive {
  let isAlone = false
  let askAgainAt = 0

  function note(now: boolean, error?: unknown): void {
    if (isAlone !== now) changed(now, error)
    isAlone = now
  }

  return async (together, alone) => {
    if (clock.now() < askAgainAt) return alone()
    try {
      const result = await withinMs(together(), { clock, ms: TIMEOUT_MS, onLate })
      note(false)
      return result
    } catch (error) {
      askAgainAt = clock.now() + RETRY_MS
      note(true, error)
      return alone()
    }
  }
}
