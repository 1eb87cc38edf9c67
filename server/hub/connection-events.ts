import type { Connection } from './connection.ts'
import type { Invocation } from './messages.ts'

/** What a connection reports to the hub. Each handler runs synchronously. */
export type ConnectionEvents = {
  /** The handshake is complete. */
  opened(connection: Connection): void
  /** Never throws or rejects. The next message is not handled before a returned promise settles. */
  invoked(connection: Connection, invocation: Invocation): Promise<void> | undefined
  /** The client has begun to send more than its traffic limit; its socket is read more slowly. */
  trafficExceeded(connection: Connection): void
  /** A stateful connection has lost its socket and may get another. */
  dropped(connection: Connection): void
  /** A stateful connection has another socket. The loss of the earlier one may not have been noticed. */
  resumed(connection: Connection): void
  /** No new socket may be attached any more. Called before the client can see that the connection ends. */
  closing(connection: Connection): void
  /** The client sent a Close message; everything that it sent before has been handled. */
  closedByClient(connection: Connection): void
  /** The connection is over and everything that it received has been handled. Called once, and last. */
  closed(connection: Connection): void
}
