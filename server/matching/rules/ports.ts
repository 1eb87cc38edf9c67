import type { HubEvent, HubEventArguments, Role } from '#protocol/hub.ts'

/** What matching needs of the records and of the hub. Times are milliseconds since 1970. */

export interface Relations {
  /** Resolves with every account that this one must never be matched with, whichever of the two blocked the other. */
  blockedWith(accountId: string): Promise<string[]>
  metBy(accountId: string): Promise<string[]>
  recordMet(a: string, b: string, at: number): Promise<void>
  block(by: string, blocked: string, at: number): Promise<void>
}

/** A match that has not ended. `caller` and `callee` are accounts; the first of the pair is the Caller. */
export type MatchRecord = { id: string; caller: string; callee: string; startedAt: number; connected: boolean }

/** A match that has ended; `endedAt` is null until its end is written. `wasCall`: at least one of the two saw the other. */
type PastMatch = Pick<MatchRecord, 'caller' | 'callee' | 'startedAt'> & {
  endedAt: number | null
  wasCall: boolean
}

export interface MatchRecords {
  open(match: MatchRecord): Promise<void>
  /** Records that the user of this role sees the other's picture. The Caller's confirmation makes the match connected. */
  confirm(id: string, role: Role, at: number): Promise<void>
  close(id: string, at: number): Promise<void>
  all(): Promise<MatchRecord[]>
  /** Resolves with null for an unknown match. */
  find(id: string): Promise<PastMatch | null>
}

export interface Partners {
  /** Resolves with the partner of this account in a match that goes on, on whichever server; null otherwise. */
  partnerIn(matchId: string, accountId: string): Promise<string | null>
}

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
