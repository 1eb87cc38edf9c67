import type { Clock } from '../platform/rules/clock.ts'

/** Time until an Ack is sent in a separate frame. Most Acks are sent before, together with a completion. */
const ACK_MS = 1_250
/** Acks that are due within this time of each other are sent together. */
const TOGETHER_MS = 100

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
