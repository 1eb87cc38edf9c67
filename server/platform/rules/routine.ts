import type { Clock } from './clock.ts'

export type Routine = {
  /** From now on the task runs regularly, at first after `firstMs`. */
  start(): void
  /** Resolves when the run that was under way has ended; none follows. */
  stop(): Promise<void>
}

/** What a task is told: true once it should end at the next good moment. */
export type Stopping = () => boolean

/**
 * Runs one task over and over, never two at a time: `everyMs` after a run that went well, `retryMs` after one in which something
 * failed. The task says itself what went wrong and answers false; what it throws is a fault too.
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
    let well = false
    try {
      well = await task(() => stopped)
    } catch (error) {
      fault(error)
    }
    if (!stopped) cancel = clock.after(well ? everyMs : retryMs, begin)
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
