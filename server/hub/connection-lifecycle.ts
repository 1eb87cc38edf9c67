import type { Matches } from '../matching/matches.ts'
import type { Matchmaker } from '../matching/matchmaker.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Roster } from './roster.ts'
import type { UserConnection } from './user-connection.ts'

type Deps = { roster: Roster; matches: Matches; matching: Matchmaker; metrics: Pick<Metrics, 'resumed'> }

/**
 * Carries out what the events of a connection mean for its user. When a client sends a Close message, its user leaves:
 * the queue entry is removed and the match ends. After any other loss of the connection, the queue entry, the match and
 * undelivered events are kept for `HUB_RESUME_MS`.
 */
export function createConnectionLifecycle({ roster, matches, matching, metrics }: Deps) {
  /** Connections whose users are absent already. */
  const droppedConnections = new WeakSet<UserConnection>()
  let isStopped = false

  function markAbsent(accountId: string): void {
    if (isStopped) return
    matches.drop(accountId)
    matching.drop(accountId)
  }

  function leave(accountId: string, why: string): void {
    matching.leave(accountId)
    matches.leave(accountId, why)
    roster.removeUser(accountId)
  }

  return {
    leave,

    /** `isTakenOver` is true for a connection whose user's state was on a server that has ended. */
    opened(connection: UserConnection, isTakenOver = false): void {
      const relation = roster.attach(connection)
      if (isTakenOver || relation === 'same page') metrics.resumed('connection')
      if (isTakenOver) {
        matches.resume(connection)
        matches.announceAgain(connection)
        roster.deliverWaiting(connection)
        matching.resumeAtOnce(connection)
        return
      }
      if (relation === 'another page') matches.leave(connection.accountId, 'another page of the user connected')
      connection.send('OnUserConnected', [connection.id])
      matches.resume(connection)
      roster.deliverWaiting(connection)
      if (relation === 'same page') matching.resumeAtOnce(connection)
      else matching.resumeAfterGrace(connection)
    },

    dropped(connection: UserConnection): void {
      droppedConnections.add(connection)
      if (roster.isCurrent(connection)) markAbsent(connection.accountId)
    },

    resumed(connection: UserConnection): void {
      metrics.resumed('socket')
      droppedConnections.delete(connection)
      if (!roster.isCurrent(connection)) return
      matches.resume(connection)
      matching.resumeAtOnce(connection)
    },

    closedByClient(connection: UserConnection): void {
      if (roster.detach(connection)) leave(connection.accountId, 'a user left')
    },

    closed(connection: UserConnection): void {
      const wasCurrent = roster.detach(connection)
      if (wasCurrent && !droppedConnections.has(connection)) markAbsent(connection.accountId)
    },

    /** The server shuts down: queue entries and matches stay as they are, for the next start. */
    stop(): void {
      isStopped = true
      matching.stop()
      matches.stop()
    },
  }
}

export type ConnectionLifecycle = ReturnType<typeof createConnectionLifecycle>
