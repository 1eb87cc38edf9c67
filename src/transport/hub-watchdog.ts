import type { Clock } from '../domain/ports.ts'

export type WatchdogLimits = {
  /** Without any message or ping for so long a connection is dead. */
  silenceMs: number
  /** The same for a page that wakes up: the hub pings well within it. */
  wakingMs: number
  /** How long one attempt to open or to re-attach may take. */
  attemptMs: number
}

/** Says once, through `dead`, that a connection must count as dead although nothing has reported it. */
export function createWatchdog(clock: Clock, limits: WatchdogLimits, dead: (why: string) => void) {
  let heardAt = clock.now()
  let attemptAt: number | null = heardAt
  let stopped = false
  let cancel = () => {}

  function bark(why: string): void {
    stop()
    dead(why)
  }

  function stop(): void {
    stopped = true
    cancel()
  }

  function dueIn(): number {
    const silence = heardAt + limits.silenceMs
    const due = attemptAt === null ? silence : Math.min(silence, attemptAt + limits.attemptMs)
    return due - clock.now()
  }

  /** Messages do not move the timer: it looks again when it fires. */
  function arm(): void {
    if (stopped) return
    cancel()
    const left = dueIn()
    if (left > 0) cancel = clock.after(left, arm)
    else bark(attemptAt === null ? 'the connection has gone silent' : 'the attempt took too long')
  }

  arm()
  return {
    heard(): void {
      heardAt = clock.now()
      attemptAt = null
    },
    /** The connection is being opened again under the same id. */
    attempting(): void {
      attemptAt = clock.now()
      arm()
    },
    /** Timers of a sleeping page stand still, so that its silence shows only when it wakes up. */
    awake(): void {
      if (stopped) return
      if (attemptAt === null && clock.now() - heardAt >= limits.wakingMs) bark('the page slept too long')
      else arm()
    },
    stop,
  }
}
