import type { FastifyBaseLogger } from 'fastify'

/** Runs what must never disturb its caller: a fault in it is logged. */
export function aside(log: FastifyBaseLogger, what: string, task: () => void): void {
  try {
    task()
  } catch (error) {
    log.error({ err: error }, what)
  }
}

/** Work that goes on beside its caller, to be waited for before the server ends. */
export class Background {
  readonly #log: FastifyBaseLogger
  readonly #running = new Set<Promise<void>>()

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** A fault is logged as one in `what`. */
  run(what: string, work: Promise<unknown>): void {
    const running = work
      .then(
        () => undefined,
        (error: unknown) => this.#log.error({ err: error }, what),
      )
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
