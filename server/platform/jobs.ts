import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './rules/clock.ts'
import { createRoutine, type Routine, type Stopping } from './rules/routine.ts'

/** Time from a failed run to the next. */
const RETRY_MS = 10_000

/** Work that the server repeats for as long as it runs. */
export function createJobs({ clock, log }: { clock: Clock; log: FastifyBaseLogger }) {
  const routines: Routine[] = []
  return {
    add(routine: Routine): void {
      routines.push(routine)
    },
    /** Repeats `task`, at first when the server starts. A fault is logged with the message "`what` failed". */
    every(what: string, everyMs: number, task: (stopping: Stopping) => Promise<void>): void {
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
    start(): void {
      for (const routine of routines) routine.start()
    },
    /** Resolves when every run under way has ended; none follows. */
    async stop(): Promise<void> {
      await Promise.all(routines.map((routine) => routine.stop()))
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>
