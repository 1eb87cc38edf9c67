import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './rules/clock.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

/** Runs a task whose fault must not reach the caller: the fault is logged. */
export function aside(log: FastifyBaseLogger, what: string, task: () => void): void {
  try {
    task()
  } catch (error) {
    log.error({ err: error }, what)
  }
}

/** Work that no caller waits for. The server waits for the work before it ends. */
export class Background {
  readonly #log: FastifyBaseLogger
  readonly #clock: Pick<Clock, 'after'>
  readonly #running = new Set<Promise<void>>()
  readonly #pausing = new Set<() => void>()
  #ending = false

  constructor(log: FastifyBaseLogger, clock: Pick<Clock, 'after'>) {
    this.#log = log
    this.#clock = clock
  }

  /** Tracks `work`. A fault is logged with the message `what`. */
  run(what: string, work: Promise<unknown>): void {
    const running = work
      .then(
        () => undefined,
        (error: unknown) => this.#log.error({ err: error }, what),
      )
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Retries `work` until it succeeds; the last attempt is when the server ends. A second run of `work` must be harmless. */
  retryUntilDone(what: string, work: () => Promise<unknown>): void {
    this.run(what, this.#untilDone(what, work))
  }

  /** Resolves when all work has ended. From now on nothing is retried. */
  async settled(): Promise<void> {
    this.#ending = true
    for (const resume of [...this.#pausing]) resume()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #untilDone(what: string, work: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await work()
        return
      } catch (error) {
        if (this.#ending) throw error
        if (pauseMs === FIRST_PAUSE_MS) this.#log.warn({ err: error }, `${what}; retrying`)
      }
      await this.#pause(pauseMs)
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        cancel()
        this.#pausing.delete(resume)
        resolve()
      }
      const cancel = this.#clock.after(ms, resume)
      this.#pausing.add(resume)
    })
  }
}
