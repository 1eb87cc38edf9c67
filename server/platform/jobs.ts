import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './rules/clock.ts'
import { createRoutine, type Routine, type Stopping } from './rules/routine.ts'

/** Time from a failed run to the next run. */
const RETRY_MS = 10_000

/** Work that the server repeats for as long as it runs. */
export type Jobs = {
  add(routine: Routine): void
  /** Repeats `task`, at first when the server starts. A fault is logged with the message "`what` failed". */
  every(what: string, everyMs: number, task: (stopping: Stopping) => Promise<void>): void
  start(): void
  /** Resolves when every run under way has ended; no further run begins. */
  stop(): Promise<void>
}

export function createJobs({ clock, log }: { clock: Clock; log: FastifyBaseLogger }): Jobs {
  const routines: Routine[] = []
  return {
    add: (routine) => void routines.push(routine),
    every(what, everyMs, task) {
      const routine = createRoutine({
        clock,
        firstMs: 0,
        everyMs,
        retryMs: RETRY_MS,
        task: (stopping) => task(stopping).then(() => true),
        fault: (error) => log.error({ err: error }, `${what} failed`),
      })
      routines.push(routine)
    },
    start() {
      for (const routine of routines) routine.start()
    },
    async stop() {
      await Promise.all(routines.map((routine) => routine.stop()))
    },
  }
}
