import type { Matches } from '../matching/matches.ts'
import type { Matchmaker } from '../matching/matchmaker.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { UserConnection } from './connection.ts'
import type { Roster } from './roster.ts'

type Deps = { roster: Roster; matches: Matches; matching: Matchmaker; metrics: Pick<Metrics, 'resumed'> }

/**
 * What the coming and going of connections means for their users. A client that says Close has left: out of the queue,
 * and its session ends. A socket that just goes keeps queue place and session for HUB_RESUME_MS, and what the session has
 * for them meanwhile.
 */
export class ConnectionLifecycle {
  readonly #deps: Deps
  readonly #away = new WeakSet<UserConnection>()
  #stopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** With `again` the connection is no new one: the server that knew it is gone. */
  connect(line: UserConnection, again = false): void {
    const { roster, matches, matching, metrics } = this.#deps
    const arrival = roster.attach(line)
    if (again || arrival === 'same page') metrics.resumed('connection')
    if (again) {
      matches.resume(line)
      matches.announceAgain(line)
      roster.deliverWaiting(line)
      matching.resumeAtOnce(line)
      return
    }
    if (arrival === 'another page') matches.leave(line.accountId, 'another page took over')
    line.send('OnUserConnected', [line.id])
    matches.resume(line)
    roster.deliverWaiting(line)
    if (arrival === 'same page') matching.resumeAtOnce(line)
    else matching.resumeAfterGrace(line)
  }

  /** The connection has no socket, but may get another. */
  drop(line: UserConnection): void {
    this.#away.add(line)
    if (this.#deps.roster.isCurrent(line)) this.#markAbsent(line.accountId)
  }

  resume(line: UserConnection): void {
    const { roster, matches, matching, metrics } = this.#deps
    metrics.resumed('socket')
    this.#away.delete(line)
    if (!roster.isCurrent(line)) return
    matches.resume(line)
    matching.resumeAtOnce(line)
  }

  /** The client said that it goes. */
  closeByClient(line: UserConnection): void {
    if (this.#deps.roster.detach(line)) this.leave(line.accountId, 'a side left')
  }

  /** The connection is over, for whatever reason. */
  close(line: UserConnection): void {
    const wasCurrent = this.#deps.roster.detach(line)
    if (wasCurrent && !this.#away.has(line)) this.#markAbsent(line.accountId)
  }

  leave(accountId: string, why: string): void {
    const { roster, matches, matching } = this.#deps
    matching.leave(accountId)
    matches.leave(accountId, why)
    roster.removeUser(accountId)
  }

  /** The server ends: places and matches stay as they are, for the next start. */
  stop(): void {
    this.#stopped = true
    this.#deps.matching.stop()
    this.#deps.matches.stop()
  }

  #markAbsent(accountId: string): void {
    if (this.#stopped) return
    this.#deps.matches.drop(accountId)
    this.#deps.matching.drop(accountId)
  }
}
