import type { Connection } from './connection.ts'
import type { CloseReason } from './messages.ts'

/** A connection reports its user as seen at most this often. */
const SEEN_EVERY_MS = 10_000

/** Unacknowledged bytes of all connections above which connections are cut: first the longest without acknowledgement. */
export const HELD_BY_ALL_LIMIT = 64 * 1024 * 1024

/** The connections whose sockets are on this server, and stateful connections that wait for another socket. */
export class OpenConnections {
  /** By connection: when its user was last reported as seen. */
  readonly #seenAt = new Map<Connection, number>()
  #onEmpty: () => void = () => undefined

  get size(): number {
    return this.#seenAt.size
  }

  add(connection: Connection, now: number): void {
    this.#seenAt.set(connection, now)
  }

  delete(connection: Connection): void {
    this.#seenAt.delete(connection)
    if (this.#seenAt.size === 0) this.#onEmpty()
  }

  accounts(): string[] {
    return [...this.#seenAt.keys()].map(({ accountId }) => accountId)
  }

  /** Closes all connections; their clients may reconnect. */
  closeAll(): void {
    for (const connection of this.#seenAt.keys()) connection.close({ allowReconnect: true })
  }

  /** Closes the user's connections of one login session; with null, all connections of the user. */
  closeOf(accountId: string, loginSessionId: string | null, reason: CloseReason): void {
    for (const connection of this.#seenAt.keys())
      if (connection.accountId === accountId && (loginSessionId === null || connection.sessionId === loginSessionId))
        connection.close(reason)
  }

  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      if (this.#seenAt.size === 0) resolve()
    })
  }

  /** Checks each connection. Calls `seen` for each user who has sent something since the last such call. */
  check(now: number, seen: (accountId: string) => void): void {
    let held = 0
    for (const [connection, seenAt] of this.#seenAt) {
      connection.check(now)
      held += connection.heldBytes
      if (connection.lastReceivedAt - seenAt < SEEN_EVERY_MS) continue
      this.#seenAt.set(connection, now)
      seen(connection.accountId)
    }
    if (held > HELD_BY_ALL_LIMIT) this.#cutHolders(held, now)
  }

  #cutHolders(heldByAll: number, now: number): void {
    let held = heldByAll
    const holders = [...this.#seenAt.keys()].filter(({ heldBytes }) => heldBytes > 0)
    holders.sort((one, other) => one.awaitsSince(now) - other.awaitsSince(now) || other.heldBytes - one.heldBytes)
    for (const connection of holders) {
      if (held <= HELD_BY_ALL_LIMIT) return
      held -= connection.heldBytes
      connection.abandon()
    }
  }
}
