import type { Clock } from '../domain/ports.ts'

/** The answer, or `instead` where it takes longer than `ms`. */
export async function within<T, U>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  answer: Promise<T>,
  instead: U,
): Promise<T | U> {
  const late = Promise.withResolvers<U>()
  const cancel = clock.after(ms, () => late.resolve(instead))
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    cancel()
  }
}
