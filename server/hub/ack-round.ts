import type { Clock } from '../platform/rules/clock.ts'

/** A client expects its messages to be acknowledged within a second; half of one leaves room for the network. */
const ACK_MS = 500

/** Lets connections acknowledge what they received together, one timer for all. */
export class AckRound {
  readonly #clock: Clock
  #owing = new Set<{ acknowledge(): void }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `acknowledge` is called once, soon. */
  add(connection: { acknowledge(): void }): void {
    if (this.#owing.size === 0) this.#clock.after(ACK_MS, () => this.#settle())
    this.#owing.add(connection)
  }

  #settle(): void {
    const owing = this.#owing
    this.#owing = new Set()
    for (const connection of owing) connection.acknowledge()
  }
}
