export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
}

export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}

/** Settles as `work` does, or rejects with the error of `onLate` after `ms`. The work itself goes on. */
export function withinMs<T>(
  work: Promise<T>,
  { clock, ms, onLate }: { clock: Pick<Clock, 'after'>; ms: number; onLate: () => Error },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(onLate()))
    work.then(resolve, reject).finally(cancel)
  })
}
