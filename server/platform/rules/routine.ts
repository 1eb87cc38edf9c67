import type { Clock } from './clock.ts'

export type Routine = {
  /** Starts the first run after `firstMs`. */
  start(): void
  /** Resolves when the run under way has ended; none follows. */
  stop(): Promise<void>
}

/** Returns true once the task should end at the next good moment. */
export type Stopping = () => boolean

/**
 * Repeats a task, one run at a time: `everyMs` after a run that succeeded, `retryMs` after one that failed. A task fails by resolving
 * with false, after it has logged the fault itself, or by throwing, which is passed to `fault`.
 */
export function createRoutine(deps: {
  clock: Clock
  firstMs: number
  everyMs: number
  retryMs: number
  task: (stopping: Stopping) => Promise<boolean>
  fault: (error: unknown) => void
}): Routine {
  const { clock, firstMs, everyMs, retryMs, task, fault } = deps
  let stopped = false
  let cancel = () => {}
  let running = Promise.resolve()

  async function run(): Promise<void> {
    let succeeded = false
    try {
      succeeded = await task(() => stopped)
    } catch (error) {
      fault(error)
    }
    if (!stopped) cancel = clock.after(succeeded ? everyMs : retryMs, begin)
  }

  function begin(): void {
    running = run()
  }

  return {
    start() {
      if (firstMs === 0) begin()
      else cancel = clock.after(firstMs, begin)
    },
    stop() {
      stopped = true
      cancel()
      return running
    },
  }
}

/** Repeats `round`, at first after `everyMs`. `fault` takes the error of a round that rejects. */
export function createRounds(
  clock: Clock,
  everyMs: number,
  round: () => Promise<unknown>,
  fault: (error: unknown) => void = () => undefined,
): Routine {
  const task = () => round().then(() => true)
  return createRoutine({ clock, firstMs: everyMs, everyMs, retryMs: everyMs, task, fault })
}
