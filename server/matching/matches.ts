import type { FastifyBaseLogger } from 'fastify'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Shared } from '#protocol/hub.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { ActiveMatch } from './active-match.ts'
import { HeldAddresses } from './held-addresses.ts'
import { EndedMatches, type Match, partnerOf, sideOf } from './rules/match.ts'
import { type MatchOutcome, outcomeOf, setupTimes } from './rules/match-outcome.ts'
import type { Meetings } from './rules/meetings.ts'
import type { MatchConnection, MatchRecord, MatchRecords, SentEvent, UserConnections } from './rules/ports.ts'
import type { Trust } from './rules/trust.ts'
import { type SetupWatch, watchSetup } from './setup-watch.ts'

const NEVER_CONNECTED = 'the call did not connect in time'

export type MatchesDeps = {
  clock: Clock
  matchRecords: MatchRecords
  matchTimeoutMs: number
  metrics: Metrics
  log: FastifyBaseLogger
  connections: UserConnections
  background: Background
  traceId?: () => string | undefined
  /** Limits how many people an account meets a minute; without it there is no limit. */
  meetings?: Meetings
  /** Counts how matches come out; without it nobody waits apart. */
  trust?: Trust
}

/** The account that ended a match; `isReport` when it ended the match by reporting the peer. */
export type Leaver = { accountId: string; isReport: boolean }

/** The matches that go on: finds them by user, waits for users who have dropped, ends them. */
export class Matches {
  readonly #deps: MatchesDeps
  readonly #byAccount = new Map<string, ActiveMatch>()
  /** The matches of `#byAccount` that are connected. */
  readonly #connected = new Set<ActiveMatch>()
  readonly #ended = new EndedMatches()

  constructor(deps: MatchesDeps) {
    this.#deps = deps
  }

  get count(): number {
    return this.#byAccount.size / 2
  }

  get talkingCount(): number {
    return this.#connected.size * 2
  }

  of(accountId: string): ActiveMatch | undefined {
    return this.#byAccount.get(accountId)
  }

  /** Throws `not-in-match` unless this user is in this match now. Notes that the user has sent something in it. */
  require(accountId: string, id: string): ActiveMatch {
    const match = this.#byAccount.get(accountId)
    if (!match?.isAnnounced || match.id !== id) throw new AppError('not-in-match', 'the session is not yours or over')
    match.setup?.spoke(sideOf(match, accountId).role)
    return match
  }

  /** A match of this user that ended within the last minute. */
  ended(accountId: string, id: string): Match | undefined {
    return this.#ended.find(accountId, id, this.#deps.clock.now())
  }

  /** The latest match between these two connections that ended within the last minute. */
  endedBetween(accountId: string, own: string, peer: string): Match | undefined {
    return this.#ended.between(accountId, own, peer, this.#deps.clock.now())
  }

  /** Adds a match before it is written and announced, so that neither user is paired again meanwhile. */
  reserve(id: string, caller: string, callee: string): ActiveMatch {
    const startedAt = this.#deps.clock.now()
    return this.#add(new ActiveMatch({ id, caller, callee, startedAt, connected: false }, false))
  }

  async write(match: ActiveMatch): Promise<void> {
    match.startedAt = this.#deps.clock.now()
    await this.#deps.matchRecords.open({ ...match.record, connected: false })
  }

  /** Sends `OnUserMatched` to both users and starts the match timeout. */
  announce(
    match: ActiveMatch,
    caller: MatchConnection,
    callee: MatchConnection,
    { holdsAddresses, shared, apart }: { holdsAddresses: boolean; shared: Shared | undefined; apart: string[] },
  ): void {
    match.isAnnounced = true
    match.traceId = this.#deps.traceId?.()
    match.shared = shared
    if (holdsAddresses) this.#holdAddresses(match)
    this.#startTimeout(match)
    const setup = this.#watchSetup(match)
    for (const [connection, peer] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      const { accountId, id, origin } = connection
      const side = sideOf(match, accountId)
      match.users.set(accountId, { accountId, origin, wasApart: apart.includes(accountId) })
      side.connections.add(id)
      match.announcedOn.set(accountId, id)
      const sent = this.#sendMatch(match, accountId, peer.id)
      match.announcements.set(accountId, sent)
      setup.announced(side.role, sent)
      this.#count((meetings) => meetings.met(accountId))
    }
    this.#deps.log.info({ match: match.id }, 'matching: match made')
  }

  /** Removes a match that was never announced. */
  discard(match: ActiveMatch): void {
    this.#remove(match)
  }

  /** Records that this user sees the peer's picture. The Caller's confirmation makes the match connected. */
  confirm(match: ActiveMatch, accountId: string): void {
    const side = sideOf(match, accountId)
    if (side.sawPeerAt !== null) return
    const { clock, matchRecords, background, metrics, log } = this.#deps
    const at = clock.now()
    side.sawPeerAt = at
    // It is unknown when the answer of a restored match was relayed.
    if (match.isRestored) match.answeredAt ??= match.startedAt
    if (side.role === 'Caller' && !match.isConnected) {
      match.isConnected = true
      this.#connected.add(match)
      match.cancelTimeout()
      match.setup?.stop()
      metrics.matchSettled('connected', match.trustedUsers)
      log.info({ match: match.id }, 'matching: call connected')
    }
    background.retryUntilDone('matching: a confirmation was not written', () =>
      matchRecords.confirm(match.id, side.role, at),
    )
  }

  /** Ends a match and notifies `notified`; does nothing for a match that is over. `by` is null when neither user ended it. */
  end(match: ActiveMatch, notified: string[], why: string, by: Leaver | null = null): void {
    if (this.#byAccount.get(match.caller.accountId) !== match) return
    const outcome = this.#judge(match, by)
    this.#remove(match)
    if (by) this.#countEnd(match, by)
    const { connections, metrics, clock, log } = this.#deps
    this.#ended.add(match, clock.now())
    if (!match.isConnected) {
      // Leaves out a user by whose side nothing failed.
      const failed = match.trustedUsers.filter(({ accountId }) => outcome?.[sideOf(match, accountId).role].failed !== 0)
      metrics.matchSettled(why === NEVER_CONNECTED ? 'timed-out' : 'left', failed)
    }
    for (const { accountId } of [match.caller, match.callee]) connections.endMatch(accountId, match.id)
    for (const accountId of notified) connections.send(accountId, 'SessionTerminated', [match.id])
    const ms = clock.now() - match.startedAt
    const { id, isConnected: connected, traceId } = match
    // Without `traceId` the line would have the trace of the request that ended the match, or none.
    log.info({ match: id, why, connected, ms, ...(traceId !== undefined && { traceId }) }, 'matching: match ended')
  }

  endForBoth(match: ActiveMatch, why: string, by: Leaver | null = null): void {
    this.end(match, [match.caller.accountId, match.callee.accountId], why, by)
  }

  /** Ends the match of a user who leaves; only the partner is notified. */
  leave(accountId: string, why: string): void {
    const match = this.#byAccount.get(accountId)
    if (match?.isAnnounced)
      this.end(match, [partnerOf(match, accountId).accountId], why, { accountId, isReport: false })
  }

  /** Ends the match of a user without a connection after `HUB_RESUME_MS`, unless `resume` is called before. */
  drop(accountId: string): void {
    const match = this.#byAccount.get(accountId)
    if (!match?.isAnnounced || match.cancelAbsences.has(accountId)) return
    const cancel = this.#deps.clock.after(HUB_RESUME_MS, () => this.endForBoth(match, 'a user did not come back'))
    match.cancelAbsences.set(accountId, cancel)
    match.setup?.dropped(sideOf(match, accountId).role)
  }

  /** Goes on with the user's match on this connection; sends it the announcement if that is undelivered. */
  resume({ accountId, id }: Pick<MatchConnection, 'accountId' | 'id'>): void {
    const match = this.#byAccount.get(accountId)
    if (!match?.isAnnounced) return
    match.cancelAbsences.get(accountId)?.()
    match.cancelAbsences.delete(accountId)
    sideOf(match, accountId).connections.add(id)
    if (match.announcements.get(accountId)?.isUnderWay) match.announcedOn.set(accountId, id)
  }

  /** Announces the match again, for a connection whose earlier server ended and may not have sent the announcement. */
  announceAgain({ accountId, id }: Pick<MatchConnection, 'accountId' | 'id'>): void {
    const match = this.#byAccount.get(accountId)
    if (!match?.isAnnounced) return
    match.announcedOn.set(accountId, id)
    const { connections } = this.#deps
    const peer = connections.of(partnerOf(match, accountId).accountId)
    if (match.isConnected || !peer) return
    this.#sendMatch(match, accountId, peer.id)
    this.#sendMatch(match, peer.accountId, id)
  }

  /** Restores the matches that went on when the server ended. Each match waits for its two users. */
  async restore(): Promise<void> {
    for (const record of await this.#deps.matchRecords.all()) this.adopt(record)
  }

  /** Goes on with a match of another server or of an earlier process. */
  adopt(record: MatchRecord): void {
    const { id, caller, callee, startedAt } = record
    if (this.#byAccount.get(caller)?.id === id) return
    const match = this.#add(new ActiveMatch(record, true))
    match.isAnnounced = true
    if (match.isConnected) {
      match.answeredAt = startedAt
      this.#connected.add(match)
    } else {
      this.#startTimeout(match)
    }
    for (const accountId of [caller, callee]) {
      const connection = this.#deps.connections.of(accountId)
      if (connection?.open) this.resume(connection)
      else this.drop(accountId)
    }
  }

  all(): MatchRecord[] {
    const matches = new Set(this.#byAccount.values())
    return [...matches].filter(({ isAnnounced }) => isAnnounced).map(({ record }) => record)
  }

  /** Removes all matches without ending them: other servers go on with them. */
  clear(): void {
    this.stop()
    this.#byAccount.clear()
    this.#connected.clear()
    this.#ended.clear()
  }

  /** Cancels all timers; the matches stay in the store for the next start. */
  stop(): void {
    for (const match of this.#byAccount.values()) match.cancelTimers()
  }

  #sendMatch(match: ActiveMatch, accountId: string, peerConnection: string): SentEvent {
    const { role } = sideOf(match, accountId)
    const { id, shared } = match
    return this.#deps.connections.send(accountId, 'OnUserMatched', [role, id, peerConnection, shared])
  }

  #add(match: ActiveMatch): ActiveMatch {
    this.#byAccount.set(match.caller.accountId, match)
    this.#byAccount.set(match.callee.accountId, match)
    return match
  }

  #remove(match: ActiveMatch): void {
    match.cancelTimers()
    this.#connected.delete(match)
    this.#byAccount.delete(match.caller.accountId)
    this.#byAccount.delete(match.callee.accountId)
    const { matchRecords, clock, background } = this.#deps
    const endedAt = clock.now()
    background.retryUntilDone('matching: the end of a match was not written', () =>
      matchRecords.close(match.id, endedAt, match.answeredAt),
    )
  }

  #startTimeout(match: ActiveMatch): void {
    const { clock, matchTimeoutMs } = this.#deps
    match.cancelTimeout = clock.after(matchTimeoutMs, () => this.endForBoth(match, NEVER_CONNECTED))
  }

  /** Ends the match once a user has not taken the next step of the setup in time. */
  #watchSetup(match: ActiveMatch): SetupWatch {
    const { clock, matchTimeoutMs } = this.#deps
    const gaveUp = () => this.endForBoth(match, NEVER_CONNECTED)
    match.setup = watchSetup({ clock, times: setupTimes(matchTimeoutMs), gaveUp })
    return match.setup
  }

  /** Counts how the match came out for its users. Returns null for a match whose beginning this server has not seen. */
  #judge(match: ActiveMatch, by: Leaver | null): MatchOutcome | null {
    const { setup, caller, callee, startedAt } = match
    if (!setup) return null
    const { clock, matchTimeoutMs, trust, background } = this.#deps
    const now = clock.now()
    const { Caller, Callee, ...steps } = setup.facts(now)
    const facts = {
      ...steps,
      Caller: { ...Caller, sawPeer: caller.sawPeerAt !== null },
      Callee: { ...Callee, sawPeer: callee.sawPeerAt !== null },
      lastedMs: now - startedAt,
      callMs: caller.sawPeerAt && callee.sawPeerAt && now - Math.max(caller.sawPeerAt, callee.sawPeerAt),
      leaver: by && sideOf(match, by.accountId).role,
      isReport: by?.isReport === true,
    }
    const outcome = outcomeOf(facts, setupTimes(matchTimeoutMs))
    const [one, other] = [match.users.get(caller.accountId), match.users.get(callee.accountId)]
    if (trust && one && other)
      background.run(
        'matching: the outcome of a match was not counted',
        Promise.all([trust.count(one, other, outcome.Caller), trust.count(other, one, outcome.Callee)]),
      )
    return outcome
  }

  #holdAddresses(match: ActiveMatch): void {
    match.addresses = new HeldAddresses(this.#deps.clock, (to, data) =>
      this.#deps.connections.relay(to, 'OnIceCandidate', [match.id, data]),
    )
  }

  #countEnd({ startedAt }: ActiveMatch, { accountId, isReport }: Leaver): void {
    const afterMs = this.#deps.clock.now() - startedAt
    this.#count((meetings) => (isReport ? meetings.reported(accountId, afterMs) : meetings.left(accountId, afterMs)))
  }

  #count(add: (meetings: Meetings) => Promise<void>): void {
    const { meetings, background } = this.#deps
    if (meetings) background.run('matching: a meeting was not counted', add(meetings))
  }
}
