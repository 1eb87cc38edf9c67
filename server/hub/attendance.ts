import type { Figures } from '../domain/figures.ts'
import type { Line } from './connection.ts'
import type { Matching } from './matching.ts'
import type { Roster } from './roster.ts'
import type { Sessions } from './sessions.ts'

type Deps = { roster: Roster; sessions: Sessions; matching: Matching; figures: Pick<Figures, 'resumed'> }

/**
 * What the coming and going of connections means for their users. A client that says Close has left: out of the queue,
 * and its session ends. A socket that just goes keeps queue place and session for HUB_RESUME_MS, and what the session has
 * for them meanwhile.
 */
export class Attendance {
  readonly #deps: Deps
  readonly #away = new WeakSet<Line>()
  #stopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** With `again` the connection is no new one: the server that knew it is gone. */
  arrive(line: Line, again = false): void {
    const { roster, sessions, matching, figures } = this.#deps
    const arrival = roster.enter(line)
    if (again || arrival === 'same page') figures.resumed('connection')
    if (again) {
      sessions.resume(line)
      sessions.tellAgain(line)
      roster.handOver(line)
      matching.return(line)
      return
    }
    if (arrival === 'another page') sessions.leave(line.accountId, 'another page took over')
    line.tell('OnUserConnected', [line.id])
    sessions.resume(line)
    roster.handOver(line)
    if (arrival === 'same page') matching.return(line)
    else matching.resume(line)
  }

  /** The connection has no socket, but may get another. */
  lose(line: Line): void {
    this.#away.add(line)
    if (this.#deps.roster.isCurrent(line)) this.#drop(line.accountId)
  }

  recover(line: Line): void {
    const { roster, sessions, matching, figures } = this.#deps
    figures.resumed('socket')
    this.#away.delete(line)
    if (!roster.isCurrent(line)) return
    sessions.resume(line)
    matching.return(line)
  }

  /** The client said that it goes. */
  quit(line: Line): void {
    if (this.#deps.roster.remove(line)) this.leave(line.accountId, 'a side left')
  }

  /** The connection is over, for whatever reason. */
  end(line: Line): void {
    const wasCurrent = this.#deps.roster.remove(line)
    if (wasCurrent && !this.#away.has(line)) this.#drop(line.accountId)
  }

  leave(accountId: string, why: string): void {
    const { roster, sessions, matching } = this.#deps
    matching.leave(accountId)
    sessions.leave(accountId, why)
    roster.forget(accountId)
  }

  /** The server ends: places and sessions stay as they are, for the next start. */
  stop(): void {
    this.#stopped = true
    this.#deps.matching.stop()
    this.#deps.sessions.stop()
  }

  #drop(accountId: string): void {
    if (this.#stopped) return
    this.#deps.sessions.drop(accountId)
    this.#deps.matching.drop(accountId)
  }
}
