import type { FastifyBaseLogger } from 'fastify'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import { mayChat } from '#protocol/fields.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import type { UserConnection } from '../hub/connection.ts'
import type { Roster } from '../hub/roster.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import type { Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Matches } from './matches.ts'
import { partnerOf } from './rules/match.ts'
import type { Pair, RegionCounts } from './rules/match-queue.ts'
import type { Meetings } from './rules/meetings.ts'
import type { Relations } from './rules/ports.ts'
import { type Queue, type Soon, soon } from './rules/queue.ts'
import type { QueueEntry } from './rules/waiting-list.ts'

/**
 * Who came back to a queue place is paired after this, or as soon as they ask for a match: a page that has just loaded
 * asks at once, and one that has not asked yet would miss the match.
 */
const RETURN_GRACE_MS = 1_000
const STORE_RETRY_MS = 1_000
/** Between two tries to begin a search that was delayed. */
const RETRY_MS = 1_000
/** Codes with which `join` refuses a user for good. */
const REFUSALS: readonly ErrorCode[] = ['blocked', 'forbidden']

type Deps = {
  clock: Clock
  queue: Queue
  newId: () => string
  accounts: Pick<Accounts, 'find' | 'profile'>
  relations: Relations
  metrics: Metrics
  trace: Trace
  log: FastifyBaseLogger
  roster: Roster
  matches: Matches
  background: Background
  /** Limits how many people an account meets a minute; without it there is no limit. */
  meetings?: Meetings
  /** Resolves when the state of all these users is on this server, or after a time limit. */
  waitFor: (users: string[]) => Promise<void>
}

function unavailable(): never {
  throw new AppError('hub-unavailable', 'nobody can be matched right now')
}

/** Brings people into the queue and pairs out of it into matches. */
export class Matching {
  readonly #deps: Deps
  readonly #queue: Queue
  /** Who is on the way into the queue, with the blocks made since their relations were read. */
  readonly #joining = new Map<string, Set<string>>()
  /** The places of those whose match is being written down: they are in no queue, and may come back to it. */
  readonly #opening = new Map<string, QueueEntry>()
  /** Who went for good while their match was being written down. */
  readonly #gone = new Set<string>()
  /** Matches that a block forbade while they were being written down. */
  readonly #forbidden = new Set<string>()
  /** Accounts that have met too many people in this minute. The value cancels the timer that lets the account into the queue. */
  readonly #delayed = new Map<string, () => void>()
  #stopped = false
  #cancelTick: () => void = () => undefined

  constructor(deps: Deps) {
    this.#deps = deps
    this.#queue = deps.queue
  }

  /**
   * Puts the user into the queue. While the match that this connection was told of goes on, it does nothing: the event
   * and the request crossed. A match that an earlier connection was told of is over, for the page no longer knows it.
   */
  async join(connection: UserConnection): Promise<void> {
    const { accountId } = connection
    this.#endDelay(accountId)
    const joining = new Set<string>()
    this.#joining.set(accountId, joining)
    try {
      const { accounts, relations, meetings } = this.#deps
      const [account, profile, blocked, met, waitMs] = await Promise.all([
        accounts.find(accountId),
        accounts.profile(accountId),
        relations.blockedWith(accountId),
        relations.metBy(accountId),
        meetings?.waitMs(accountId) ?? 0,
      ])
      if (!account || !mayChat(account.status)) throw new AppError('blocked', 'this account may not be matched')
      if (!profile) throw new AppError('forbidden', 'a profile is needed before a match')
      if (this.#stopped || !this.#deps.roster.isCurrent(connection))
        throw new AppError('hub-unavailable', 'the connection is closing')
      if (this.#keepsMatch(connection)) return
      if (waitMs > 0) {
        this.#deps.log.info({ connection: connection.id, account: accountId, waitMs }, 'a search is delayed')
        this.#delay(connection, waitMs)
        return
      }
      const newcomer = { region: connection.region, blocked: [...blocked, ...joining], met }
      const pairs = this.#queue.join(accountId, newcomer, this.#deps.clock.now())
      this.#made(pairs instanceof Promise ? await pairs.catch(unavailable) : pairs)
    } finally {
      if (this.#joining.get(accountId) === joining) this.#joining.delete(accountId)
    }
  }

  leave(accountId: string): void {
    this.#endDelay(accountId)
    this.#aside(this.#queue.leave(accountId))
    const session = this.#deps.matches.of(accountId)
    if (session && !session.announced) this.#gone.add(accountId)
  }

  drop(accountId: string): void {
    this.#aside(this.#queue.drop(accountId, this.#deps.clock.now()))
  }

  /** The page that took the place is back: it is theirs again, at once. */
  return({ accountId, region }: UserConnection): void {
    this.#gone.delete(accountId)
    this.#apply(this.#queue.resume(accountId, region, this.#deps.clock.now()))
  }

  /** The user has a connection of what may be another page: the place is theirs, but the page may not be ready yet. */
  resume(connection: UserConnection): void {
    const { clock, roster } = this.#deps
    this.#gone.delete(connection.accountId)
    const wait = (place: unknown) => {
      if (!place) return
      this.#aside(this.#queue.drop(connection.accountId, clock.now()))
      clock.after(RETURN_GRACE_MS, () => {
        if (this.#stopped || !roster.isCurrent(connection)) return
        this.#apply(this.#queue.resume(connection.accountId, connection.region, clock.now()))
      })
    }
    this.#aside(soon(this.#queue.find(connection.accountId), wait))
  }

  /** Holds at once, also for a join that has read its relations already. */
  block(by: string, whom: string): void {
    this.#aside(this.#queue.block(by, whom))
    this.#joining.get(by)?.add(whom)
    this.#joining.get(whom)?.add(by)
    this.#opening.get(by)?.blocked.add(whom)
    this.#opening.get(whom)?.blocked.add(by)
    const session = this.#deps.matches.of(by)
    if (session && !session.announced && partnerOf(session, by).account === whom) this.#forbidden.add(session.id)
  }

  /** Other servers found pairs for this one to bring together. */
  open(): void {
    const unopened = this.#queue.unopened?.()
    if (unopened) this.#apply(unopened)
  }

  /** The queue has lost the places of these. */
  requeue(accountIds: string[]): void {
    const { background } = this.#deps
    for (const accountId of accountIds) background.run('a place could not be taken again', this.#takeAgain(accountId))
  }

  counts(): RegionCounts {
    return this.#queue.counts()
  }

  stop(): void {
    this.#stopped = true
    this.#cancelTick()
    for (const accountId of [...this.#delayed.keys()]) this.#endDelay(accountId)
  }

  async #takeAgain(user: string): Promise<void> {
    const { clock, roster, relations, matches } = this.#deps
    const [blocked, met] = await Promise.all([relations.blockedWith(user), relations.metBy(user)])
    if (this.#stopped || !roster.has(user) || matches.of(user)) return
    const now = clock.now()
    const line = roster.of(user)
    // The first who are back must not all be paired before the others come.
    const place: QueueEntry = {
      user,
      region: line?.region ?? '',
      spills: false,
      since: now,
      lot: 0,
      blocked: new Set(blocked),
      met: new Set(met),
    }
    if (line?.open) this.#apply(this.#queue.restore(place, now))
    else this.#aside(this.#queue.hold(place, now))
  }

  /** Lets the user into the queue after `waitMs`, if the connection is still theirs. */
  #delay(connection: UserConnection, waitMs: number): void {
    const { clock, roster } = this.#deps
    const { accountId } = connection
    this.#endDelay(accountId)
    const cancel = clock.after(waitMs, () => {
      this.#delayed.delete(accountId)
      if (this.#stopped || !roster.isCurrent(connection)) return
      // A connection without a socket may get another: it is not let in before.
      if (!connection.open) this.#delay(connection, RETRY_MS)
      else this.join(connection).catch((error: unknown) => this.#delayedJoinFailed(connection, error))
    })
    this.#delayed.set(accountId, cancel)
  }

  /** The client has its answer and does not ask again: a fault is retried, a refusal ends the search. */
  #delayedJoinFailed(connection: UserConnection, error: unknown): void {
    const { roster, log } = this.#deps
    const { accountId } = connection
    log.info({ err: error, connection: connection.id }, 'a delayed search could not begin')
    const isRefused = error instanceof AppError && REFUSALS.includes(error.code)
    const asksAnew = this.#joining.has(accountId) || this.#delayed.has(accountId)
    if (!isRefused && !asksAnew && !this.#stopped && roster.isCurrent(connection)) this.#delay(connection, RETRY_MS)
  }

  #endDelay(accountId: string): void {
    this.#delayed.get(accountId)?.()
    this.#delayed.delete(accountId)
  }

  #keepsMatch(connection: UserConnection): boolean {
    const { matches } = this.#deps
    const session = matches.of(connection.accountId)
    if (!session) return false
    if (!session.announced || session.toldOn.get(connection.accountId) === connection.id) return true
    matches.leave(connection.accountId, 'a side looks for somebody else')
    return false
  }

  #aside(step: Soon<unknown>): void {
    if (step instanceof Promise) this.#deps.background.run('the queue did not take a step', step)
  }

  #apply(pairs: Soon<Pair[]>): void {
    this.#aside(soon(pairs, (made) => this.#made(made)))
  }

  #made(pairs: Pair[]): void {
    const { background, matches, trace } = this.#deps
    for (const pair of pairs) {
      const { user } = pair.caller
      // One that was told of twice, as an answer and as unopened, is opened once.
      if (this.#opening.has(user) || matches.of(user)?.announced) continue
      background.run(
        'a match could not be made',
        trace('match', () => this.#open(pair)),
      )
    }
    this.#schedule()
  }

  #schedule(): void {
    this.#cancelTick()
    const at = this.#queue.nextTick()
    const { clock } = this.#deps
    if (at === null || this.#stopped) return
    this.#cancelTick = clock.after(Math.max(0, at - clock.now()), () => this.#apply(this.#queue.tick(clock.now())))
  }

  async #open({ caller, callee }: Pair): Promise<void> {
    const { newId, matches, roster, clock, relations, metrics, log } = this.#deps
    const session = matches.reserve(newId(), caller.user, callee.user)
    this.#opening.set(caller.user, caller).set(callee.user, callee)
    const mayOpen = () =>
      !this.#stopped &&
      !this.#forbidden.has(session.id) &&
      [caller, callee].every((place) => roster.of(place.user)?.open)
    const { waitFor } = this.#deps
    // Read while the match is written, so that it takes no time of its own.
    const leavingEarly = this.#leavesEarly(caller, callee)
    await waitFor([caller.user, callee.user])
    const met = relations
      .recordMet(caller.user, callee.user, clock.now())
      .catch((error: unknown) => log.error({ err: error }, 'a pair could not be recorded as met'))
    let written = false
    while (!written && mayOpen()) {
      try {
        await matches.write(session)
        written = true
      } catch (error) {
        // A refusal is for good.
        if (error instanceof AppError) break
        log.error({ err: error }, 'a match could not be written down')
        await new Promise<void>((resolve) => clock.after(STORE_RETRY_MS, resolve))
      }
    }
    await met
    const holdsAddresses = await leavingEarly
    this.#opening.delete(caller.user)
    this.#opening.delete(callee.user)
    const callerHere = roster.of(caller.user)
    const calleeHere = roster.of(callee.user)
    if (written && mayOpen() && callerHere && calleeHere) {
      matches.announce(session, callerHere, calleeHere, { holdsAddresses })
      const told = ({ region, since }: QueueEntry) => ({ region, waitedMs: clock.now() - since })
      metrics.matchMade(told(caller), told(callee))
      return
    }
    matches.discard(session)
    if (this.#stopped) return
    this.#forbidden.delete(session.id)
    this.#restoreBackup(caller)
    this.#restoreBackup(callee)
    this.#schedule()
  }

  /** Whether one of the two has lately ended many matches at once. Never rejects. */
  async #leavesEarly(...places: QueueEntry[]): Promise<boolean> {
    const { meetings, log } = this.#deps
    if (!meetings) return false
    try {
      const answers = await Promise.all(places.map(({ user }) => meetings.leavesEarly(user)))
      return answers.includes(true)
    } catch (error) {
      log.error({ err: error }, 'it could not be read how earlier matches ended')
      return false
    }
  }

  /** After a match that came to nothing: who is there waits on, who dropped off keeps the place, who went is out. */
  #restoreBackup(place: QueueEntry): void {
    const { roster, clock } = this.#deps
    const now = clock.now()
    const line = roster.of(place.user)
    if (this.#gone.delete(place.user)) this.#aside(this.#queue.leave(place.user))
    else if (line?.open) this.#apply(this.#queue.restore({ ...place, region: line.region }, now))
    else this.#aside(this.#queue.hold(place, now))
  }
}
