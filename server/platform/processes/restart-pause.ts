import type { Clock } from '../rules/clock.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

/** The time for which a process that failed is not restarted. It doubles with each failure until a request succeeds. */
export class RestartPause {
  readonly #clock: Clock
  #nextMs = FIRST_PAUSE_MS
  #until = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOn(): boolean {
    return this.#clock.now() < this.#until
  }

  /** Returns the length of the pause in milliseconds. */
  begin(): number {
    const pauseMs = this.#nextMs
    this.#until = this.#clock.now() + pauseMs
    this.#nextMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    return pauseMs
  }

  worked(): void {
    this.#nextMs = FIRST_PAUSE_MS
  }
}
