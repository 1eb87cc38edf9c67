import type { Clock } from '../platform/rules/clock.ts'

/** Time until an Ack has a frame of its own. Mostly it goes along with a completion before that; clients seldom wait for Acks. */
const ACK_MS = 1_250
/** Acks that are due within this time of each other are sent together. */
const TOGETHER_MS = 100

/** Makes a single frame of what a connection writes during one read of a socket; waiting for a whole turn would delay clients. */
export class WriteBatch {
  #waiting: { flush(): void }[] = []

  /** Calls `flush` once, in a microtask. Must not be called again before that. */
  add(writer: { flush(): void }): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
    this.#waiting.push(writer)
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const writer of waiting) writer.flush()
  }
}

/** One timer for the Acks of all connections. */
export function createAckRound(clock: Clock) {
  /** When the Ack of each connection is due, earliest first. */
  const due = new Map<{ acknowledge(): void }, number>()

  function acknowledge(): void {
    const now = clock.now()
    for (const [connection, dueAt] of due) {
      if (dueAt > now) break
      due.delete(connection)
      connection.acknowledge()
    }
    const [next] = due.values()
    if (next !== undefined) clock.after(Math.max(TOGETHER_MS, next - now), acknowledge)
  }

  return {
    /** Calls `acknowledge` once, after `ACK_MS` and at most `TOGETHER_MS` more. */
    add(connection: { acknowledge(): void }): void {
      if (due.has(connection)) return
      if (due.size === 0) clock.after(ACK_MS, acknowledge)
      due.set(connection, clock.now() + ACK_MS)
    },
  }
}

export type AckRound = ReturnType<typeof createAckRound>
