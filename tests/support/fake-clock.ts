import type { Clock } from '../../src/platform/clock.ts'

type Timer = { at: number; every: number | null; task: () => void }

/** A clock that moves only by `advance`. `waiting` returns the number of pending timers. */
export function fakeClock(start = 0): Clock & { advance(ms: number): void; waiting(): number } {
  let now = start
  const timers = new Set<Timer>()

  function add(timer: Timer): () => void {
    timers.add(timer)
    return () => void timers.delete(timer)
  }

  function next(until: number): Timer | undefined {
    return [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0]
  }

  return {
    now: () => now,
    after: (ms, task) => add({ at: now + ms, every: null, task }),
    every: (ms, task) => add({ at: now + ms, every: ms, task }),
    advance(ms) {
      const until = now + ms
      for (let timer = next(until); timer; timer = next(until)) {
        now = timer.at
        if (timer.every === null) timers.delete(timer)
        else timer.at += timer.every
        timer.task()
      }
      now = until
    },
    waiting: () => timers.size,
  }
}
