import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './domain/ports.ts'

type Job = { what: string; everyMs: number; task: (stopping: AbortSignal) => Promise<void> }

/** Runs a job at once and then again and again, one run after the other; the answer stops it and waits for the run that is on. */
export function periodically(clock: Clock, log: FastifyBaseLogger, { what, everyMs, task }: Job): () => Promise<void> {
  const stopping = new AbortController()
  let cancel: () => void = () => undefined
  let running: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    try {
      await task(stopping.signal)
    } catch (error) {
      log.error({ err: error }, `${what} failed`)
    }
    if (!stopping.signal.aborted) cancel = clock.after(everyMs, start)
  }

  function start(): void {
    running = run()
  }

  start()
  return async () => {
    stopping.abort()
    cancel()
    await running
  }
}
