export interface Clock {
  /** Returns the milliseconds since 1970, by the device's clock. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` every `ms`. Returns a function that cancels the timer. */
  every(ms: number, task: () => void): () => void
}
