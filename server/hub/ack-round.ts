import type { Clock } from '../platform/rules/clock.ts'

/**
 * Time until an Ack has a frame of its own. A client acknowledges a chat message within a second; the Ack then goes
 * along with the completion. A client waits for an Ack only when it has sent a whole window of messages.
 */
const ACK_MS = 1_250
/** Acks that are due within this time of each other are sent together. */
const TOGETHER_MS = 100

/** One timer for the Acks of all connections. */
export class AckRound {
  readonly #clock: Clock
  /** When the Ack of each connection is due, earliest first. */
  readonly #due = new Map<{ acknowledge(): void }, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `acknowledge` once, after `ACK_MS` and at most `TOGETHER_MS` more. */
  add(connection: { acknowledge(): void }): void {
    if (this.#due.has(connection)) return
    if (this.#due.size === 0) this.#wait(ACK_MS)
    this.#due.set(connection, this.#clock.now() + ACK_MS)
  }

  #wait(ms: number): void {
    this.#clock.after(ms, () => this.#acknowledge())
  }

  #acknowledge(): void {
    const now = this.#clock.now()
    for (const [connection, dueAt] of this.#due) {
      if (dueAt > now) break
      this.#due.delete(connection)
      connection.acknowledge()
    }
    const [next] = this.#due.values()
    if (next !== undefined) this.#wait(Math.max(TOGETHER_MS, next - now))
  }
}
