export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
}

export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}
