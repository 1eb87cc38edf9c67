import type { Clock } from '../../server/platform/rules/clock.ts'

/** Time that passes `factor` times faster than it does. */
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
