import type { Clock } from '../clock.ts'

export const browserClock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
  every(ms, task) {
    const timer = setInterval(task, ms)
    return () => clearInterval(timer)
  },
}
