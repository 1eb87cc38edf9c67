export interface Clock {
  /** Returns milliseconds since 1970. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
}
