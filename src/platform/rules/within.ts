import type { Clock } from '../clock.ts'
import { deferred } from './deferred.ts'

/** Longest wait for what this browser has stored. IndexedDB takes milliseconds on a slow phone; where it is broken, it never responds. */
export const STORED_MS = 2_000

/** Resolves with the result of `work`, or with `instead` if `work` takes longer than `ms`. */
export async function within<T, U>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  instead: U,
): Promise<T | U> {
  const late = deferred<U>()
  const cancel = clock.after(ms, () => late.resolve(instead))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}
