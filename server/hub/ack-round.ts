import type { Clock } from '../platform/rules/clock.ts'

/** A client expects an Ack within a second; half a second leaves time for the network. */
const ACK_MS = 500

/** One timer for the Acks of all connections. */
export class AckRound {
  readonly #clock: Clock
  #due = new Set<{ acknowledge(): void }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `acknowledge` once, within `ACK_MS`. */
  add(connection: { acknowledge(): void }): void {
    if (this.#due.size === 0) this.#clock.after(ACK_MS, () => this.#acknowledgeAll())
    this.#due.add(connection)
  }

  #acknowledgeAll(): void {
    const due = this.#due
    this.#due = new Set()
    for (const connection of due) connection.acknowledge()
  }
}
