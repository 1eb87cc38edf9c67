import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'
import type { NetworkOfUser } from '../matching/rules/candidates.ts'
import type { MatchConnection } from '../matching/rules/ports.ts'
import type { Delivery } from './delivery.ts'
import type { CloseReason } from './messages.ts'

/** A user's connection, whose socket is on this server or on another server. */
export interface UserConnection extends MatchConnection {
  readonly sessionId: string
  /** The page load; null when the client does not name one. */
  readonly visit: string | null
  /** The network of the latest socket. */
  readonly network: NetworkOfUser
  /** `deliver` may be called: the delivery is sent at once, or on the client's next socket. */
  readonly accepts: boolean
  /** What the client has not acknowledged. With version 1: the bytes that the socket has not sent, and 0 messages. */
  readonly backlog: { bytes: number; messages: number }
  /** Sends an event to this connection only: it is lost with the connection. */
  send<E extends HubEvent>(target: E, args: HubEventArguments<E>): void
  /** Sends a delivery and settles it: on acknowledgement with version 2, at once with version 1. */
  deliver(delivery: Delivery): void
  undelivered(): Delivery[]
  /** Sends a Close message and ends the connection. */
  close(reason: CloseReason): void
}

/** What hub methods and dispatch need of a connection. */
export interface InvokingConnection extends UserConnection {
  /** Sends the completion of an invocation; without an error the invocation succeeded. */
  complete(invocationId: string, error?: string): void
  countRateRefusal(): void
}
