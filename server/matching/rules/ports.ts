import type { HubEvent, HubEventArguments, Role } from '#protocol/hub.ts'
import type { Origin } from './trust.ts'

/** What matching needs of the records and of the hub. Times are milliseconds since 1970. */

export interface Relations {
  /** Resolves with the accounts with which this account must never be matched, since one has blocked the other. */
  blockedWith(accountId: string): Promise<string[]>
  metBy(accountId: string): Promise<string[]>
  recordMet(a: string, b: string, at: number): Promise<void>
  block(by: string, blocked: string, at: number): Promise<void>
}

/** A match that has not ended. `caller` and `callee` are account ids. */
export type MatchRecord = { id: string; caller: string; callee: string; startedAt: number; connected: boolean }

/** A match that has ended. `endedAt` is null until the end is written; `callFrom` is the beginning of the call, null without a call. */
type PastMatch = Pick<MatchRecord, 'caller' | 'callee' | 'startedAt'> & {
  endedAt: number | null
  callFrom: number | null
}

export interface MatchRecords {
  open(match: MatchRecord): Promise<void>
  /** Records that the user of this role sees the peer's picture. The Caller's confirmation makes the match connected. */
  confirm(id: string, role: Role, at: number): Promise<void>
  /** `answeredAt` is when the Callee's answer was relayed; null without an answer, and when the time is unknown. */
  close(id: string, at: number, answeredAt: number | null): Promise<void>
  all(): Promise<MatchRecord[]>
  /** Resolves with null for an unknown match. */
  find(id: string): Promise<PastMatch | null>
}

export interface Partners {
  /** Resolves with the partner of this account in a match that goes on, on any server; null otherwise. */
  partnerIn(matchId: string, accountId: string): Promise<string | null>
}

/** A hub connection, as matching sees it. */
export interface MatchConnection {
  readonly id: string
  readonly accountId: string
  /** The region of the server that has the socket. */
  readonly region: string
  /** Where the user connects from; null if unknown. */
  readonly origin: Origin | null
  /** True while the connection has an open socket. */
  readonly open: boolean
}

/** An event on its way to a user. */
export interface SentEvent {
  /** Calls the listener when the event is delivered or given up; at once if this has already happened. */
  whenSettled(listener: (isDelivered: boolean) => void): void
  /** False once the event is delivered or given up. */
  readonly isUnderWay: boolean
}

/** What matching needs of the hub: the current connection of each user, and a way to send events to users. */
export interface UserConnections {
  of(accountId: string): MatchConnection | undefined
  /** True for a user with a current connection or with state that is kept for their return. */
  has(accountId: string): boolean
  isCurrent(connection: MatchConnection): boolean
  /** Sends an event at once, or as soon as the user has a connection again. */
  send<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): SentEvent
  /** Like `send`, for data of the user's peer: given up at once when too much is on its way to the user. */
  relay<E extends HubEvent>(accountId: string, event: E, args: HubEventArguments<E>): SentEvent
  endMatch(accountId: string, matchId: string): void
}
