import type { Clock } from '../../platform/clock.ts'

export type WatchdogLimits = {
  /** A connection without a message or ping for this long is dead. */
  silenceMs: number
  /** The same for a page that wakes up; longer than the hub's ping interval. */
  wakingMs: number
  /** The longest attempt to open or to re-attach. */
  attemptMs: number
}

/** Calls `expired` once when a connection must count as dead although no event has reported it. */
export function createWatchdog(clock: Clock, limits: WatchdogLimits, expired: (reason: string) => void) {
  let receivedAt = clock.now()
  let attemptAt: number | null = receivedAt
  let isStopped = false
  let cancel = () => {}

  function expire(reason: string): void {
    stop()
    expired(reason)
  }

  function stop(): void {
    isStopped = true
    cancel()
  }

  function dueIn(): number {
    const silence = receivedAt + limits.silenceMs
    const due = attemptAt === null ? silence : Math.min(silence, attemptAt + limits.attemptMs)
    return due - clock.now()
  }

  /** A message does not move the timer: the time that is left is computed when it fires. */
  function arm(): void {
    if (isStopped) return
    cancel()
    const left = dueIn()
    if (left > 0) cancel = clock.after(left, arm)
    else expire(attemptAt === null ? 'the connection has gone silent' : 'the attempt took too long')
  }

  arm()
  return {
    /** A message or ping has arrived, which also ends an attempt. */
    received(): void {
      receivedAt = clock.now()
      attemptAt = null
    },
    /** The connection is being re-attached. */
    attempt(): void {
      attemptAt = clock.now()
      arm()
    },
    /** Looks at the clock now: timers of a sleeping page do not run, so its silence shows only when it wakes up. */
    check(): void {
      if (isStopped) return
      if (attemptAt === null && clock.now() - receivedAt >= limits.wakingMs) expire('the page slept too long')
      else arm()
    },
    stop,
  }
}
