import type { FastifyBaseLogger } from 'fastify'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { UserConnection } from '../hub/connection.ts'
import type { Delivery } from '../hub/delivery.ts'
import type { Roster } from '../hub/roster.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { HeldAddresses } from './held-addresses.ts'
import { type LiveMatch, liveMatch, partnerOf, sideOf } from './rules/match.ts'
import type { Meetings } from './rules/meetings.ts'
import type { MatchRecord, MatchRecords } from './rules/ports.ts'

/** How long a session that has ended can still be terminated again or reported. */
const REMEMBER_ENDED_MS = 60_000
const NEVER_STOOD = 'the call never stood'

type Deps = {
  clock: Clock
  matchRecords: MatchRecords
  matchTimeoutMs: number
  metrics: Metrics
  log: FastifyBaseLogger
  roster: Roster
  background: Background
  /** Limits how many people an account meets a minute; without it there is no limit. */
  meetings?: Meetings
}

/** The account that ended a match, and whether it did so by reporting the other. */
export type Leaver = { account: string; reports: boolean }

type Session = LiveMatch & {
  startedAt: number
  /** False while the two have not been told of each other. */
  announced: boolean
  /** Who was told of the match on which connection. */
  readonly toldOn: Map<string, string>
  /** The events that told them. */
  readonly told: Map<string, Delivery>
  /** Holds back the network addresses of the two; null in a match of two accounts that do not leave early. */
  addresses: HeldAddresses | null
  cancelTimeout: () => void
  readonly cancelAbsence: Map<string, () => void>
}

/** The matches that are going on: who is in which, how long one waits for somebody who dropped off, how they end. */
export class Matches {
  readonly #deps: Deps
  readonly #byAccount = new Map<string, Session>()
  /** In the order in which they ended. */
  readonly #ended = new Map<string, { match: LiveMatch; until: number }>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** How many go on. */
  get count(): number {
    return this.#byAccount.size / 2
  }

  of(accountId: string): Session | undefined {
    return this.#byAccount.get(accountId)
  }

  /** Throws `not-in-match` unless this user is in this session now. */
  require(accountId: string, id: string): Session {
    const session = this.#byAccount.get(accountId)
    if (!session?.announced || session.id !== id) throw new AppError('not-in-match', 'the session is not yours or over')
    return session
  }

  /** True for a session of this user that ended a moment ago. */
  hasJustEnded(accountId: string, id: string): boolean {
    this.#forget()
    const match = this.#ended.get(id)?.match
    return match !== undefined && (match.caller.account === accountId || match.callee.account === accountId)
  }

  /** The session between these two connections that ended a moment ago; the last one. */
  endedBetween(accountId: string, own: string, peer: string): LiveMatch | undefined {
    this.#forget()
    const known = [...this.#ended.values()].map(({ match }) => match).reverse()
    return known.find(
      (match) =>
        (match.caller.account === accountId || match.callee.account === accountId) &&
        sideOf(match, accountId).connections.has(own) &&
        partnerOf(match, accountId).connections.has(peer),
    )
  }

  /** Takes both off the market while their session is being written down. */
  reserve(id: string, caller: string, callee: string): Session {
    return this.#add(liveMatch(id, caller, callee, false))
  }

  async write(session: Session): Promise<void> {
    const { id, caller, callee } = session
    const startedAt = this.#deps.clock.now()
    session.startedAt = startedAt
    await this.#deps.matchRecords.open({
      id,
      caller: caller.account,
      callee: callee.account,
      startedAt,
      connected: false,
    })
  }

  /** Tells both of each other. Both are there. */
  announce(
    session: Session,
    caller: UserConnection,
    callee: UserConnection,
    { holdsAddresses }: { holdsAddresses: boolean },
  ): void {
    session.announced = true
    if (holdsAddresses) this.#holdAddresses(session)
    this.#startTimeout(session)
    for (const [connection, peer] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      const { accountId, id } = connection
      const side = sideOf(session, accountId)
      side.connections.add(id)
      session.toldOn.set(accountId, id)
      const told = this.#deps.roster.tell(accountId, 'OnUserMatched', [side.role, session.id, peer.id])
      session.told.set(accountId, told)
      this.#count((meetings) => meetings.met(accountId))
    }
    this.#deps.log.info({ session: session.id }, 'match made')
  }

  /** Gives up a session that nobody has been told of. */
  discard(session: Session): void {
    this.#remove(session)
  }

  /** Notes that this side sees the other. The match counts as connected when the Caller says so. */
  confirm(session: Session, accountId: string): void {
    const side = sideOf(session, accountId)
    if (side.sawPeerAt !== null) return
    const { clock, matchRecords, background, metrics, log } = this.#deps
    const at = clock.now()
    side.sawPeerAt = at
    if (side.role === 'Caller' && !session.connected) {
      session.connected = true
      session.cancelTimeout()
      metrics.matchSettled('connected')
      log.info({ session: session.id }, 'call stands')
    }
    background.insist('that a side sees the other could not be written down', () =>
      matchRecords.confirm(session.id, side.role, at),
    )
  }

  /** Ends a session and tells those named. Nothing happens to one that is over. `by` is null where neither side ended it. */
  end(session: Session, tell: string[], why: string, by: Leaver | null = null): void {
    if (this.#byAccount.get(session.caller.account) !== session) return
    this.#remove(session)
    if (by) this.#countEnd(session, by)
    this.#ended.set(session.id, { match: session, until: this.#deps.clock.now() + REMEMBER_ENDED_MS })
    this.#forget()
    const { roster, metrics } = this.#deps
    if (!session.connected) metrics.matchSettled(why === NEVER_STOOD ? 'timed-out' : 'left')
    for (const { account } of [session.caller, session.callee]) roster.endSession(account, session.id)
    for (const account of tell) roster.tell(account, 'SessionTerminated', [session.id])
    this.#deps.log.info({ session: session.id, why }, 'match ended')
  }

  endForBoth(session: Session, why: string, by: Leaver | null = null): void {
    this.end(session, [session.caller.account, session.callee.account], why, by)
  }

  /** Somebody goes for good: the other is told. */
  leave(accountId: string, why: string): void {
    const session = this.#byAccount.get(accountId)
    if (session?.announced)
      this.end(session, [partnerOf(session, accountId).account], why, { account: accountId, reports: false })
  }

  /** Somebody dropped off: the session waits for them. */
  drop(accountId: string): void {
    const session = this.#byAccount.get(accountId)
    if (!session?.announced || session.cancelAbsence.has(accountId)) return
    const cancel = this.#deps.clock.after(HUB_RESUME_MS, () => this.endForBoth(session, 'a side did not come back'))
    session.cancelAbsence.set(accountId, cancel)
  }

  /** Somebody is back. A match that the earlier connection did not get to tell them of, this one will. */
  resume({ accountId, id }: UserConnection): void {
    const session = this.#byAccount.get(accountId)
    if (!session?.announced) return
    session.cancelAbsence.get(accountId)?.()
    session.cancelAbsence.delete(accountId)
    sideOf(session, accountId).connections.add(id)
    if (session.told.get(accountId)?.isUnderWay) session.toldOn.set(accountId, id)
  }

  /** A connection that goes on may have missed the match that it is in: whoever told it is gone. */
  tellAgain({ accountId, id }: UserConnection): void {
    const session = this.#byAccount.get(accountId)
    if (!session?.announced) return
    session.toldOn.set(accountId, id)
    const peer = this.#deps.roster.of(partnerOf(session, accountId).account)
    if (session.connected || !peer) return
    for (const [one, other] of [
      [{ accountId, id }, peer],
      [peer, { accountId, id }],
    ] as const) {
      const { role } = sideOf(session, one.accountId)
      this.#deps.roster.tell(one.accountId, 'OnUserMatched', [role, session.id, other.id])
    }
  }

  /** Takes up the matches that were going on when the server ended; each waits for its two people. */
  async restore(): Promise<void> {
    for (const session of await this.#deps.matchRecords.all()) this.adopt(session)
  }

  /** Goes on with a session of another server, or of an earlier life of this one. */
  adopt({ id, caller, callee, startedAt, connected }: MatchRecord): void {
    if (this.#byAccount.get(caller)?.id === id) return
    const session = this.#add(liveMatch(id, caller, callee, true))
    session.announced = true
    session.startedAt = startedAt
    session.connected = connected
    if (connected) session.answeredAt = startedAt
    if (!connected) this.#startTimeout(session)
    for (const account of [caller, callee]) {
      const line = this.#deps.roster.of(account)
      if (line?.open) this.resume(line)
      else this.drop(account)
    }
  }

  /** The matches that the two know of, as the store has them. */
  all(): MatchRecord[] {
    const matches = new Set([...this.#byAccount.values()].filter(({ announced }) => announced))
    return [...matches].map(({ id, caller, callee, startedAt, connected }) => ({
      id,
      caller: caller.account,
      callee: callee.account,
      startedAt,
      connected,
    }))
  }

  /** Forgets all of them as they are: others go on with them. */
  clear(): void {
    this.stop()
    this.#byAccount.clear()
    this.#ended.clear()
  }

  /** Lets go of every timer; the matches stay in the store for the next start. */
  stop(): void {
    for (const session of this.#byAccount.values()) this.#cancelTimers(session)
  }

  #add(match: LiveMatch): Session {
    const session: Session = {
      ...match,
      startedAt: this.#deps.clock.now(),
      announced: false,
      toldOn: new Map(),
      told: new Map(),
      addresses: null,
      cancelTimeout: () => undefined,
      cancelAbsence: new Map(),
    }
    this.#byAccount.set(match.caller.account, session)
    this.#byAccount.set(match.callee.account, session)
    return session
  }

  #remove(session: Session): void {
    this.#cancelTimers(session)
    this.#byAccount.delete(session.caller.account)
    this.#byAccount.delete(session.callee.account)
    const { matchRecords, clock, background } = this.#deps
    const endedAt = clock.now()
    background.insist('a session could not be closed in the store', () => matchRecords.close(session.id, endedAt))
  }

  #startTimeout(session: Session): void {
    const { clock, matchTimeoutMs } = this.#deps
    session.cancelTimeout = clock.after(matchTimeoutMs, () => this.endForBoth(session, NEVER_STOOD))
  }

  #holdAddresses(session: Session): void {
    session.addresses = new HeldAddresses(this.#deps.clock, (to, data) =>
      this.#deps.roster.relay(to, 'OnIceCandidate', [session.id, data]),
    )
  }

  #countEnd({ startedAt }: Session, { account, reports }: Leaver): void {
    const afterMs = this.#deps.clock.now() - startedAt
    this.#count((meetings) => (reports ? meetings.reported(account, afterMs) : meetings.left(account, afterMs)))
  }

  #count(what: (meetings: Meetings) => Promise<void>): void {
    const { meetings, background } = this.#deps
    if (meetings) background.run('a meeting could not be counted', what(meetings))
  }

  #cancelTimers(session: Session): void {
    session.addresses?.stop()
    session.cancelTimeout()
    for (const cancel of session.cancelAbsence.values()) cancel()
  }

  #forget(): void {
    const now = this.#deps.clock.now()
    for (const [id, { until }] of this.#ended) {
      if (until > now) return
      this.#ended.delete(id)
    }
  }
}
