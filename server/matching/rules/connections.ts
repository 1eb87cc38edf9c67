import type { HubEvent, HubEventArguments } from '#protocol/hub.ts'

/** A hub connection, as matching sees it. */
export interface MatchConnection {
  readonly id: string
  readonly accountId: string
  /** The region of the server that has the socket. */
  readonly region: string
  /** True while the connection has an open socket. */
  readonly open: boolean
}

/** An event on its way to a user. */
export interface SentEvent {
  /** False once the event is delivered or given up. */
  readonly isUnderWay: boolean
}

/** What matching needs of the hub: the current connection of each user, and a way to send events to users. */
export interface UserConnections {
  /** The user's current connection. */
  of(accountId: string): MatchConnection | undefined
  /** True for a user with a current connection or with state that is kept for their return. */
  has(accountId: string): boolean
  isCurrent(connection: MatchConnection): boolean
  /** Sends an event at once, or as soon as the user has a connection again. */
  send<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): SentEvent
  /** Like `send`, for data of the user's peer: given up at once when too much is on its way to the user. */
  relay<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): SentEvent
  /** Gives up the undelivered events of this match. */
  endMatch(accountId: string, matchId: string): void
}
