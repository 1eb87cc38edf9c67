export type LinkClock = {
  /** Returns milliseconds from any start, which never go back. */
  now(): number
  /** Runs `task` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, task: () => void): () => void
}

export const linkClock: LinkClock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
