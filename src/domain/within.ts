import { deferred } from './deferred.ts'
import type { Clock } from './ports.ts'

/** Resolves with the result of `work`, or with `instead` if that takes longer than `ms`. */
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
