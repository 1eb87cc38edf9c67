import type { Clock } from '../../server/platform/rules/clock.ts'

/** A clock that stays at the time of its creation until `forward`; timers run in real time, or take `slowness` times as long. */
export type MovableClock = Clock & { forward(ms: number): void }

export function movableClock(slowness = 1): MovableClock {
  let now = Date.now()
  return {
    now: () => now,
    after(ms, task) {
      const timer = setTimeout(task, ms * slowness)
      return () => clearTimeout(timer)
    },
    forward(ms) {
      now += ms
    },
  }
}
