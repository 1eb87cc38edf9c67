import type { Matches } from '../matching/matches.ts'
import type { Matching } from '../matching/matchmaker.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { UserConnection } from './connection.ts'
import type { Roster } from './roster.ts'

type Deps = { roster: Roster; matches: Matches; matching: Matching; metrics: Pick<Metrics, 'resumed'> }

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
  arrive(line: UserConnection, again = false): void {
    const { roster, matches, matching, metrics } = this.#deps
    const arrival = roster.enter(line)
    if (again || arrival === 'same page') metrics.resumed('connection')
    if (again) {
      matches.resume(line)
      matches.tellAgain(line)
      roster.handOver(line)
      matching.return(line)
      return
    }
    if (arrival === 'another page') matches.leave(line.accountId, 'another page took over')
    line.tell('OnUserConnected', [line.id])
    matches.resume(line)
    roster.handOver(line)
    if (arrival === 'same page') matching.return(line)
    else matching.resume(line)
  }

  /** The connection has no socket, but may get another. */
  lose(line: UserConnection): void {
    this.#away.add(line)
    if (this.#deps.roster.isCurrent(line)) this.#drop(line.accountId)
  }

  recover(line: UserConnection): void {
    const { roster, matches, matching, metrics } = this.#deps
    metrics.resumed('socket')
    this.#away.delete(line)
    if (!roster.isCurrent(line)) return
    matches.resume(line)
    matching.return(line)
  }

  /** The client said that it goes. */
  quit(line: UserConnection): void {
    if (this.#deps.roster.remove(line)) this.leave(line.accountId, 'a side left')
  }

  /** The connection is over, for whatever reason. */
  end(line: UserConnection): void {
    const wasCurrent = this.#deps.roster.remove(line)
    if (wasCurrent && !this.#away.has(line)) this.#drop(line.accountId)
  }

  leave(accountId: string, why: string): void {
    const { roster, matches, matching } = this.#deps
    matching.leave(accountId)
    matches.leave(accountId, why)
    roster.forget(accountId)
  }

  /** The server ends: places and matches stay as they are, for the next start. */
  stop(): void {
    this.#stopped = true
    this.#deps.matching.stop()
    this.#deps.matches.stop()
  }

  #drop(accountId: string): void {
    if (this.#stopped) return
    this.#deps.matches.drop(accountId)
    this.#deps.matching.drop(accountId)
  }
}
