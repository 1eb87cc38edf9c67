import type { Clock } from './clock.ts'

export type Routine = {
  /** Starts the first run after `firstMs`. */
  start(): void
  /** Resolves when the run under way has ended; no further run begins. */
  stop(): Promise<void>
}

/** Returns true when the task should end as soon as it can. */
export type Stopping = () => boolean

/**
 * Repeats a task, one run at a time: `everyMs` after a run that succeeded, `retryMs` after a run that failed. A task
 * that fails either logs the fault itself and resolves with false, or throws; `fault` gets what it throws.
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
