import type { Clock } from './clock.ts'

/** Settles as `work` does, or rejects with the error of `onLate` after `ms`. `work` is not stopped. */
export function withinMs<T>(
  work: Promise<T>,
  { clock, ms, onLate }: { clock: Pick<Clock, 'after'>; ms: number; onLate: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(onLate()))
    work.then(resolve, reject).finally(cancel)
  })
}
