import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './rules/clock.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

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
  readonly #clock: Pick<Clock, 'after'>
  readonly #running = new Set<Promise<void>>()
  readonly #pausing = new Set<() => void>()
  #ending = false

  constructor(log: FastifyBaseLogger, clock: Pick<Clock, 'after'>) {
    this.#log = log
    this.#clock = clock
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

  /** For what must be so in the end: it is tried until it is done, at last when the server ends. Twice must do no harm. */
  insist(what: string, work: () => Promise<unknown>): void {
    this.run(what, this.#untilDone(what, work))
  }

  /** Nothing is tried again from now on. */
  async settled(): Promise<void> {
    this.#ending = true
    for (const goOn of [...this.#pausing]) goOn()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #untilDone(what: string, work: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await work()
        return
      } catch (error) {
        if (this.#ending) throw error
        if (pauseMs === FIRST_PAUSE_MS) this.#log.warn({ err: error }, `${what}, and is tried again`)
      }
      await this.#pause(pauseMs)
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        cancel()
        this.#pausing.delete(goOn)
        resolve()
      }
      const cancel = this.#clock.after(ms, goOn)
      this.#pausing.add(goOn)
    })
  }
}
