import { mayChat } from '#protocol/block-status.ts'
import { QUEUE_SIZE_MAX } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import type { Trace } from '../operations/rules/trace.ts'
import { pause } from '../platform/rules/clock.ts'
import type { ActiveMatch } from './active-match.ts'
import { createApartSearches } from './apart-searches.ts'
import { createDelayedSearches } from './delayed-searches.ts'
import type { Matches, MatchesDeps } from './matches.ts'
import { createQueueSizeEvents } from './queue-size-events.ts'
import type { Activity, LanguageCounts } from './rules/activity.ts'
import { partnerOf } from './rules/match.ts'
import { newWait, type Pair, type RegionCounts, sharedOf } from './rules/match-queue.ts'
import type { MatchConnection, Relations } from './rules/ports.ts'
import { chain, type MaybePromise, type Queue } from './rules/queue.ts'
import type { QueueEntry } from './rules/waiting-list.ts'

/** Time for a page that may have been loaded anew to join. The page would miss a match that is made before it joins. */
const RETURN_GRACE_MS = 1_000
const STORE_RETRY_MS = 1_000

export type MatchmakerDeps = Pick<
  MatchesDeps,
  'clock' | 'metrics' | 'log' | 'connections' | 'background' | 'meetings' | 'trust'
> & {
  queue: Queue
  newId: () => string
  accounts: Pick<Accounts, 'admission'>
  relations: Relations
  trace: Trace
  matches: Matches
  activity: Pick<Activity, 'counts' | 'speakersOf'>
  /** Resolves when the state of all these users is on this server, or after a time limit. */
  waitForUsers: (users: string[]) => Promise<void>
}

function unavailable(): never {
  throw new AppError('hub-unavailable', 'nobody can be matched right now')
}

/** Puts users into the queue and makes matches of the pairs that it returns. */
export class Matchmaker {
  readonly #deps: MatchmakerDeps
  readonly #queue: Queue
  readonly #delayed: ReturnType<typeof createDelayedSearches>
  readonly #apart: ReturnType<typeof createApartSearches>
  readonly #sizes: ReturnType<typeof createQueueSizeEvents>
  /** By joining account: the accounts that were blocked since its relations were read. */
  readonly #joining = new Map<string, Set<string>>()
  /** By account: the entries of users whose match is being written. They are not in the queue, and may return to it. */
  readonly #opening = new Map<string, QueueEntry>()
  /** Users who left while their match was being written. */
  readonly #left = new Set<string>()
  /** Ids of matches that were being written when a block forbade them. */
  readonly #forbidden = new Set<string>()
  #isStopped = false
  #cancelTick: () => void = () => undefined

  constructor(deps: MatchmakerDeps) {
    const { connections, activity, queue } = deps
    this.#deps = deps
    this.#queue = queue
    const isJoining = (accountId: string) => this.#joining.has(accountId)
    this.#delayed = createDelayedSearches({ ...deps, isJoining, join: (connection) => this.join(connection) })
    this.#apart = createApartSearches({ ...deps, isJoining, joinOthers: (connection) => this.#joinOthers(connection) })
    this.#sizes = createQueueSizeEvents({
      connections,
      countAll: () => activity.counts().searching,
      speakersOf: (language) => activity.speakersOf(language),
      speakersHere: () => queue.speakers.counts,
      languagesOf: (accountId) => queue.speakers.of(accountId),
      isSearching: (accountId) => queue.waiting.has(accountId) || this.#delayed.accounts.has(accountId),
      searching: () => new Set([...queue.waiting.keys(), ...this.#delayed.accounts.keys()]),
    })
  }

  /**
   * Puts the user into the queue. Does nothing if the user has a match that was announced on this connection: the announcement and the
   * invocation have crossed. Ends a match that was announced on an earlier connection, since the page no longer knows that match.
   */
  async join(connection: MatchConnection, mayWaitApart = true): Promise<void> {
    const { accountId } = connection
    this.#delayed.cancel(accountId)
    this.#apart.cancel(accountId)
    const joining = new Set<string>()
    this.#joining.set(accountId, joining)
    try {
      const { accounts, relations, meetings } = this.#deps
      const [admission, blocked, met, waitMs, apartMs] = await Promise.all([
        accounts.admission(accountId),
        relations.blockedWith(accountId),
        relations.metBy(accountId),
        meetings?.waitMs(accountId) ?? 0,
        this.#apart.waitMs(connection),
      ])
      if (!admission || !mayChat(admission.status)) throw new AppError('blocked', 'this account may not be matched')
      if (!admission.hasProfile) throw new AppError('forbidden', 'a profile is needed before a match')
      if (this.#isStopped || !this.#deps.connections.isCurrent(connection))
        throw new AppError('hub-unavailable', 'the connection is closing')
      if (this.#keepsMatch(connection)) return
      if (waitMs > 0) {
        this.#deps.log.info({ connection: connection.id, account: accountId, waitMs }, 'matching: search delayed')
        this.#delayed.add(connection, waitMs)
        this.#sizes.began(accountId)
        return
      }
      const { languages, interests } = admission
      const apart = mayWaitApart && apartMs > 0
      const exclusions = { blocked: [...blocked, ...joining], met }
      const newcomer = { region: connection.region, languages, interests, apart, ...exclusions }
      this.#deps.metrics.searchBegan(apart ? 'apart' : 'ordinary')
      const pairs = this.#queue.join(accountId, newcomer, this.#deps.clock.now())
      this.#openAll(pairs instanceof Promise ? await pairs.catch(unavailable) : pairs)
      if (apart) this.#apart.add(connection, apartMs)
      this.#sizes.began(accountId)
    } finally {
      if (this.#joining.get(accountId) === joining) this.#joining.delete(accountId)
    }
  }

  leave(accountId: string): void {
    this.#delayed.cancel(accountId)
    this.#apart.cancel(accountId)
    this.#logFailure(this.#queue.leave(accountId))
    const match = this.#deps.matches.of(accountId)
    if (match && !match.isAnnounced) this.#left.add(accountId)
  }

  drop(accountId: string): void {
    this.#logFailure(this.#queue.drop(accountId, this.#deps.clock.now()))
  }

  /** Returns the user to the queue at once. For a connection of the page that joined. */
  resumeAtOnce({ accountId, region }: MatchConnection): void {
    this.#left.delete(accountId)
    this.#resume(accountId, region)
  }

  /** Returns the user to the queue after `RETURN_GRACE_MS`. For a connection that may be of another page. */
  resumeAfterGrace(connection: MatchConnection): void {
    const { clock, connections } = this.#deps
    this.#left.delete(connection.accountId)
    const wait = (entry: unknown) => {
      if (!entry) return
      this.#logFailure(this.#queue.drop(connection.accountId, clock.now()))
      clock.after(RETURN_GRACE_MS, () => {
        if (this.#isStopped || !connections.isCurrent(connection)) return
        this.#resume(connection.accountId, connection.region)
      })
    }
    this.#logFailure(chain(this.#queue.find(connection.accountId), wait))
  }

  /** Prevents matches of the two users from now on, also by a join under way and by a match that is being written. */
  block(by: string, other: string): void {
    this.#logFailure(this.#queue.block(by, other))
    this.#joining.get(by)?.add(other)
    this.#joining.get(other)?.add(by)
    this.#opening.get(by)?.blocked.add(other)
    this.#opening.get(other)?.blocked.add(by)
    const match = this.#deps.matches.of(by)
    if (match && !match.isAnnounced && partnerOf(match, by).accountId === other) this.#forbidden.add(match.id)
  }

  /** Opens the pairs that other servers made for this server. */
  openPairs(): void {
    const unopened = this.#queue.unopened?.()
    if (unopened) this.#openPairsOf(unopened)
  }

  requeue(accountIds: string[]): void {
    const { background } = this.#deps
    for (const accountId of accountIds)
      background.run('matching: a queue entry was not restored', this.#restoreEntry(accountId))
  }

  counts(): RegionCounts {
    return this.#queue.counts()
  }

  get speakers(): LanguageCounts {
    return this.#queue.speakers.counts
  }

  /**
   * Number of users of this server who search, including delayed searches. With more than `QUEUE_SIZE_MAX` delayed
   * searches, users in both sets count twice: users are told no larger number than `QUEUE_SIZE_MAX`.
   */
  get searchingCount(): number {
    const { waiting } = this.#queue
    if (this.#delayed.accounts.size > QUEUE_SIZE_MAX) return waiting.size + this.#delayed.accounts.size
    let count = waiting.size
    for (const accountId of this.#delayed.accounts.keys()) if (!waiting.has(accountId)) count += 1
    return count
  }

  sweep(now: number): void {
    this.#sizes.sweep(now)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTick()
    this.#delayed.stop()
    this.#apart.stop()
  }

  async #restoreEntry(user: string): Promise<void> {
    const { clock, connections, relations, matches, accounts } = this.#deps
    const [blocked, met, admission] = await Promise.all([
      relations.blockedWith(user),
      relations.metBy(user),
      accounts.admission(user),
    ])
    const connection = connections.of(user)
    const apart = connection !== undefined && (await this.#apart.waitMs(connection)) > 0
    if (this.#isStopped || !connections.has(user) || matches.of(user)) return
    const now = clock.now()
    const { languages = [], interests = [] } = admission ?? {}
    const region = connection?.region ?? ''
    const entry = newWait(user, { region, languages, interests, apart, blocked, met }, now)
    if (connection?.open)
      this.#openPairsOf(chain(this.#queue.restore(entry, now), (made) => this.#goOnApart(made, user)))
    else this.#logFailure(this.#queue.hold(entry, now))
  }

  async #joinOthers(connection: MatchConnection): Promise<void> {
    if (this.#queue.waiting.has(connection.accountId)) await this.join(connection, false)
  }

  #resume(accountId: string, region: string): void {
    const pairs = this.#queue.resume(accountId, region, this.#deps.clock.now())
    this.#openPairsOf(chain(pairs, (made) => this.#tellAfter(made, accountId)))
  }

  /** Tells a user who has returned to the queue how many others search. `pairs` are the pairs that the return made. */
  #tellAfter(pairs: Pair[], accountId: string): Pair[] {
    this.#sizes.began(accountId)
    return this.#goOnApart(pairs, accountId)
  }

  /** Lets an entry that has returned to the queue wait apart for the rest of its time, unless it was paired. */
  #goOnApart(pairs: Pair[], accountId: string): Pair[] {
    const { connections, background } = this.#deps
    const goOn = async () => {
      const entry = await this.#queue.find(accountId)
      const connection = connections.of(accountId)
      if (entry?.apart && connection && !this.#isStopped) await this.#apart.goOn(connection, entry.since)
    }
    background.run('matching: a search was not continued apart', goOn())
    return pairs
  }

  #keepsMatch({ accountId, id }: MatchConnection): boolean {
    const { matches } = this.#deps
    const match = matches.of(accountId)
    if (!match) return false
    if (!match.isAnnounced || match.announcedOn.get(accountId) === id) return true
    matches.leave(accountId, 'a user joined the queue again')
    return false
  }

  #logFailure(step: MaybePromise<unknown>): void {
    if (step instanceof Promise) this.#deps.background.run('matching: a step of the queue failed', step)
  }

  #openPairsOf(pairs: MaybePromise<Pair[]>): void {
    this.#logFailure(chain(pairs, (made) => this.#openAll(made)))
  }

  #openAll(pairs: Pair[]): void {
    const { background, matches, trace } = this.#deps
    for (const pair of pairs) {
      const { user } = pair.caller
      // A shared queue may return a pair twice: by a step and by `unopened`.
      if (this.#opening.has(user) || matches.of(user)?.isAnnounced) continue
      background.run(
        'matching: a match could not be made',
        trace('match', () => this.#open(pair)),
      )
    }
    this.#scheduleTick()
  }

  #scheduleTick(): void {
    this.#cancelTick()
    const at = this.#queue.nextTick()
    const { clock } = this.#deps
    if (at === null || this.#isStopped) return
    const delayMs = Math.max(0, at - clock.now())
    this.#cancelTick = clock.after(delayMs, () => this.#openPairsOf(this.#queue.tick(clock.now())))
  }

  /** Writes the match of a pair and announces it. When that fails, both users return to the queue. */
  async #open(pair: Pair): Promise<void> {
    const { caller, callee } = pair
    const { newId, matches, waitForUsers } = this.#deps
    const match = matches.reserve(newId(), caller.user, callee.user)
    this.#opening.set(caller.user, caller).set(callee.user, callee)
    // Runs while the match is written, so it adds no delay.
    const leavingEarly = this.#leavesEarly(caller, callee)
    const [untrusted] = await Promise.all([this.#apart.takeUntrusted(pair), waitForUsers([caller.user, callee.user])])
    const isWritten = !untrusted && (await this.#write(match, pair))
    const holdsAddresses = await leavingEarly
    this.#opening.delete(caller.user)
    this.#opening.delete(callee.user)
    if (isWritten && this.#announce(match, pair, holdsAddresses)) return
    matches.discard(match)
    if (this.#isStopped) return
    this.#forbidden.delete(match.id)
    // The user who waits apart is put back first: otherwise the two are paired again.
    if (untrusted) this.#putBack({ ...untrusted, apart: true })
    for (const entry of [caller, callee]) if (entry !== untrusted) this.#putBack(entry)
    this.#scheduleTick()
  }

  #mayOpen({ id }: ActiveMatch, { caller, callee }: Pair): boolean {
    const { connections } = this.#deps
    return (
      !this.#isStopped &&
      !this.#forbidden.has(id) &&
      [caller, callee].every(({ user }) => connections.of(user)?.open === true)
    )
  }

  /** Resolves with false when the match is refused or must not be opened any more. Retries on a fault of the store. */
  async #write(match: ActiveMatch, pair: Pair): Promise<boolean> {
    const { matches, clock, relations, log } = this.#deps
    const met = relations
      .recordMet(pair.caller.user, pair.callee.user, clock.now())
      .catch((error: unknown) => log.error({ err: error }, 'matching: a pair was not recorded as met'))
    let isWritten = false
    while (!isWritten && this.#mayOpen(match, pair)) {
      try {
        await matches.write(match)
        isWritten = true
      } catch (error) {
        // An AppError is a refusal: another attempt would be refused too.
        if (error instanceof AppError) break
        log.error({ err: error }, 'matching: a match was not written')
        await pause(clock, STORE_RETRY_MS)
      }
    }
    await met
    return isWritten
  }

  #announce(match: ActiveMatch, pair: Pair, holdsAddresses: boolean): boolean {
    const { connections, matches, metrics, clock } = this.#deps
    const caller = connections.of(pair.caller.user)
    const callee = connections.of(pair.callee.user)
    if (!this.#mayOpen(match, pair) || !caller || !callee) return false
    const apart = [pair.caller, pair.callee].filter((entry) => entry.apart).map(({ user }) => user)
    matches.announce(match, caller, callee, { holdsAddresses, shared: sharedOf(pair), apart })
    const waitOf = ({ region, since }: QueueEntry) => ({ region, waitedMs: clock.now() - since })
    metrics.matchMade(waitOf(pair.caller), waitOf(pair.callee))
    return true
  }

  /** Resolves with true when a user has lately ended many matches early. Never rejects. */
  async #leavesEarly(...entries: QueueEntry[]): Promise<boolean> {
    const { meetings, log } = this.#deps
    if (!meetings) return false
    try {
      const results = await Promise.all(entries.map(({ user }) => meetings.leavesEarly(user)))
      return results.includes(true)
    } catch (error) {
      log.error({ err: error }, 'matching: early ends of matches were not read')
      return false
    }
  }

  /**
   * Puts an entry back after a match that failed: a present user waits again, the entry of an absent user is held, a
   * user who left is removed.
   */
  #putBack(entry: QueueEntry): void {
    const { connections, clock } = this.#deps
    const now = clock.now()
    const connection = connections.of(entry.user)
    if (this.#left.delete(entry.user)) this.#logFailure(this.#queue.leave(entry.user))
    else if (connection?.open) {
      const pairs = this.#queue.restore({ ...entry, region: connection.region }, now)
      this.#openPairsOf(chain(pairs, (made) => this.#tellAfter(made, entry.user)))
    } else this.#logFailure(this.#queue.hold(entry, now))
  }
}
