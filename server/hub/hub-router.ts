import type { Matches } from '../matching/matches.ts'
import type { Matchmaker } from '../matching/matchmaker.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import type { Queue } from '../matching/rules/queue.ts'
import type { ConnectionEvents } from './connection.ts'
import type { ConnectionLifecycle } from './connection-lifecycle.ts'
import type { Invocation } from './messages.ts'
import type { OpenConnections } from './open-connections.ts'
import type { Roster } from './roster.ts'
import type { TicketStore } from './tickets.ts'
import type { InvokingConnection } from './user-connection.ts'

/** What the hub of this server gives its router at the start. */
export type LocalHub = {
  roster: Roster
  matches: Matches
  matching: Matchmaker
  lifecycle: ConnectionLifecycle
  /** Runs an invocation on this server. Never rejects. */
  execute: (connection: InvokingConnection, invocation: Invocation) => Promise<void> | undefined
  openConnections: Pick<OpenConnections, 'accounts' | 'closeAll'>
  /** Ends the user's match, queue entry and connections on this server; the clients may not reconnect. */
  disconnect(accountId: string): void
  /** Does what `disconnect` does for one login session of the user. */
  logOut(accountId: string, sessionId: string): void
  /** Makes this server check the logins of this account again, or of all accounts for null. */
  forgetLogins(accountId: string | null): void
}

export type ConnectionHandlers = Pick<
  ConnectionEvents,
  'opened' | 'invoked' | 'dropped' | 'resumed' | 'closedByClient' | 'closed'
>

/**
 * Brings connections, invocations and matches to the server that holds the state of their users. The application chooses a router when it
 * starts: the local router for a single server, `FleetRouter` for several servers that are one hub.
 */
export interface HubRouter {
  readonly queue: Queue
  readonly matchRecords: MatchRecords
  /** Stores connection tokens for all servers; null when a token is valid on this server only. */
  readonly tickets: TicketStore | null
  /** Called once, before the first connection. Resolves with the handlers of this server's connections. */
  start(hub: LocalHub): Promise<ConnectionHandlers>
  /** Called when this server stores nothing about the user any more. */
  forget(accountId: string): void
  /** Resolves when the state of all these users is on this server, or after a time limit. Never rejects. */
  waitForUsers(accountIds: string[]): Promise<void>
  /** Does on every other server what `LocalHub.disconnect` does on this server. */
  disconnectElsewhere(accountId: string): void
  /** Does on every other server what `LocalHub.logOut` does on this server. */
  logOutElsewhere(accountId: string, sessionId: string): void
  /** Makes every other server check the logins of this account again. */
  forgetLoginsElsewhere(accountId: string): void
  /** False while messages of other servers may not arrive here. */
  readonly hearsOthers: boolean
  /** Called about every second. */
  sweep(now: number): void
  /** Called when this server begins to drain: no step is retried any more. */
  stopRetries(): void
  /** Called when all connections are closed: hands the state of this server's users to the other servers. */
  leave(): Promise<void>
}

/** The router of a single server: this server holds the state of all users. */
export function createLocalRouter({ queue, matchRecords }: Pick<HubRouter, 'queue' | 'matchRecords'>): HubRouter {
  const nothing = () => undefined
  return {
    queue,
    matchRecords,
    tickets: null,
    hearsOthers: true,
    start: async ({ lifecycle, execute }) => ({ ...lifecycle, invoked: execute }),
    forget: nothing,
    waitForUsers: async () => undefined,
    disconnectElsewhere: nothing,
    logOutElsewhere: nothing,
    forgetLoginsElsewhere: nothing,
    sweep: nothing,
    stopRetries: nothing,
    leave: async () => undefined,
  }
}
