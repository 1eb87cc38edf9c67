import type { Clock } from '../../server/platform/rules/clock.ts'

/** A clock and timers that run `factor` times faster than real time. */
export function hurriedClock(factor: number): Clock {
  const start = Date.now()
  return {
    now: () => start + (Date.now() - start) * factor,
    after(ms, task) {
      const timer = setTimeout(task, ms / factor)
      return () => clearTimeout(timer)
    },
  }
}
