import type { Clock } from './clock.ts'

/** Nobody is to wait for what other servers know. */
const PATIENCE_MS = 250
/** After a fault the others are asked again this soon. */
const RETRY_MS = 1_000

/** Does something together with other servers, or alone where that fails or takes too long. */
export type Survive = <T>(together: () => Promise<T>, alone: () => Promise<T>) => Promise<T>

/** `changed` is told when this server begins to do things alone, and when it no longer does. */
export function createSurvive(clock: Clock, changed: (alone: boolean, error: unknown) => void): Survive {
  let isAlone = false
  let askAgainAt = 0

  function note(now: boolean, error?: unknown): void {
    if (isAlone !== now) changed(now, error)
    isAlone = now
  }

  function inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(PATIENCE_MS, () => reject(new Error('The other servers took too long')))
      work.then(resolve, reject).finally(cancel)
    })
  }

  return async (together, alone) => {
    if (clock.now() < askAgainAt) return alone()
    try {
      const answer = await inTime(together())
      note(false)
      return answer
    } catch (error) {
      askAgainAt = clock.now() + RETRY_MS
      note(true, error)
      return alone()
    }
  }
}
