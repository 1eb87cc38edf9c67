import type { Matches } from '../matching/matches.ts'
import type { Matchmaker } from '../matching/matchmaker.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Roster } from './roster.ts'
import type { UserConnection } from './user-connection.ts'

type Deps = { roster: Roster; matches: Matches; matching: Matchmaker; metrics: Pick<Metrics, 'resumed'> }

/**
 * What connect, drop, resume and close of a connection mean for its user. A client that sends a Close message leaves: the queue
 * entry is removed and the match ends. After any other loss the queue entry, the match and undelivered events are kept for
 * `HUB_RESUME_MS`.
 */
export class ConnectionLifecycle {
  readonly #deps: Deps
  /** Dropped connections: their users are absent already. */
  readonly #dropped = new WeakSet<UserConnection>()
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** `isTakenOver` is true for a connection that goes on after the server that held its user's state has ended. */
  connect(connection: UserConnection, isTakenOver = false): void {
    const { roster, matches, matching, metrics } = this.#deps
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
  }

  /** The connection has lost its socket and may get another. */
  drop(connection: UserConnection): void {
    this.#dropped.add(connection)
    if (this.#deps.roster.isCurrent(connection)) this.#markAbsent(connection.accountId)
  }

  /** A dropped connection has another socket. */
  resume(connection: UserConnection): void {
    const { roster, matches, matching, metrics } = this.#deps
    metrics.resumed('socket')
    this.#dropped.delete(connection)
    if (!roster.isCurrent(connection)) return
    matches.resume(connection)
    matching.resumeAtOnce(connection)
  }

  /** The client sent a Close message. */
  closeByClient(connection: UserConnection): void {
    if (this.#deps.roster.detach(connection)) this.leave(connection.accountId, 'a user left')
  }

  /** The connection is over, for any reason. */
  close(connection: UserConnection): void {
    const wasCurrent = this.#deps.roster.detach(connection)
    if (wasCurrent && !this.#dropped.has(connection)) this.#markAbsent(connection.accountId)
  }

  /** Ends the user's match and removes the queue entry. */
  leave(accountId: string, why: string): void {
    const { roster, matches, matching } = this.#deps
    matching.leave(accountId)
    matches.leave(accountId, why)
    roster.removeUser(accountId)
  }

  /** The server shuts down: queue entries and matches stay as they are, for the next start. */
  stop(): void {
    this.#isStopped = true
    this.#deps.matching.stop()
    this.#deps.matches.stop()
  }

  #markAbsent(accountId: string): void {
    if (this.#isStopped) return
    this.#deps.matches.drop(accountId)
    this.#deps.matching.drop(accountId)
  }
}
