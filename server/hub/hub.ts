import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AliasOf } from '../accounts/rules/alias.ts'
import { EndedLogins } from '../accounts/rules/ended-logins.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import { Matches } from '../matching/matches.ts'
import { Matchmaker } from '../matching/matchmaker.ts'
import { type Activity, type ActivityCounts, createActivity } from '../matching/rules/activity.ts'
import { networkOfUser } from '../matching/rules/candidates.ts'
import type { Meetings } from '../matching/rules/meetings.ts'
import type { Relations } from '../matching/rules/ports.ts'
import type { Origin } from '../matching/rules/trust.ts'
import type { Trust } from '../matching/trust.ts'
import type { Judge, RecordReport } from '../moderation/rules/ports.ts'
import type { HubCounts, Metrics } from '../operations/rules/metrics.ts'
import { noMetrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import { untraced } from '../operations/rules/trace.ts'
import { aside, Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { WordChecks } from '../words/rules/word-checks.ts'
import { AckRound } from './ack-round.ts'
import { createAuthorisation } from './authorisation.ts'
import { Connection } from './connection.ts'
import { createConnectionHandlers } from './connection-handlers.ts'
import { ConnectionLifecycle } from './connection-lifecycle.ts'
import { ConnectionLimits } from './connection-limits.ts'
import { Dispatch } from './dispatch.ts'
import type { HubRouter, LocalHub } from './hub-router.ts'
import { createHubMethods } from './methods/hub-methods.ts'
import { registerNegotiate } from './negotiate.ts'
import { OpenConnections } from './open-connections.ts'
import type { HubRates } from './rate-limits.ts'
import { hubRates, RateLimits } from './rate-limits.ts'
import { Roster } from './roster.ts'
import type { Presence } from './rules/presence.ts'
import { Tickets } from './tickets.ts'
import { TrafficLimits } from './traffic.ts'
import { createUpgrade } from './upgrade.ts'
import { WriteBatch } from './write-batch.ts'

const SWEEP_MS = 1_000
/** Sweeps from one removal of full token buckets to the next: a user who is active has a new one at once. */
const SWEEPS_OF_LIMITS = 10

export type HubDeps = {
  clock: Clock
  newId: () => string
  readHubToken: ReadHubToken
  accounts: Pick<Accounts, 'nickName' | 'admission'>
  relations: Relations
  recordReport: RecordReport
  judge: Judge
  aliasOf: AliasOf
  words: Pick<WordChecks, 'shownNickname'>
  presence: Presence
  originAllowed: (origin: string | undefined) => boolean
  /** The client's address; by default that of the socket. */
  addressOf?: (request: IncomingMessage) => string
  /** Returns false for a socket of an address that is over its limit. */
  mayConnect?: (request: IncomingMessage) => boolean
  /** Called for each socket that is refused, with the HTTP status of the refusal. */
  socketRefused?: (request: IncomingMessage, status: number) => void
  matchTimeoutMs: number
  /** The region of this server. */
  region: string
  metrics?: Metrics
  trace?: Trace
  traceId?: () => string | undefined
  log: FastifyBaseLogger
  router: HubRouter
  rates?: HubRates
  /** Limits how many people an account meets a minute; without it there is no limit. */
  meetings?: Meetings
  /** Knows whose matches fail; without it nobody waits apart. */
  trust?: Trust
  /** Returns null where the network is not known; without it none is. */
  originOf?: (request: IncomingMessage) => Origin | null
  /** Counts of users over all servers; without it those of this hub. */
  activity?: Activity
  /** Called when an account or one of its logins has changed, on this server or another, with null when any may have; without it no checks are remembered. */
  forgetLogins?: (accountId: string | null) => void
}

export interface Hub {
  /** Adds negotiate to the app and handles the upgrades of its server. The app is not ready before the matches are restored. */
  register(app: FastifyInstance): void
  /** Refuses new connections and closes the others. Resolves when all are closed and all writes to the store are done. */
  drain(): Promise<void>
  /** Ends the user's match, queue entry and connections on all servers. The clients may not reconnect. */
  disconnect(accountId: string): void
  /** Does the same for one login session; the user's other login sessions go on. */
  logOut(login: { accountId: string; sessionId: string }): void
  /** Makes all other servers check the logins of this account again. */
  forgetLoginsElsewhere(accountId: string): void
  /** False while messages of other servers may not arrive here. */
  hearsOthers(): boolean
  counts(): HubCounts
  /** Users who search and who talk, of all servers. */
  activity(): ActivityCounts
}

/** Composes the hub of this server. */
export function createHub(deps: HubDeps): Hub {
  const { clock, presence, metrics = noMetrics, trace = untraced, log, router, region } = deps
  const { forgetLogins = () => undefined, addressOf = ({ socket }) => socket.remoteAddress ?? '' } = deps
  const activity = deps.activity ?? createActivity()
  const background = new Background(log, clock)
  const roster = new Roster(clock, { metrics, userRemoved: (accountId) => router.forget(accountId) })
  const matches = new Matches({
    ...deps,
    matchRecords: router.matchRecords,
    metrics,
    connections: roster,
    background,
  })
  const matching = new Matchmaker({
    ...deps,
    metrics,
    trace,
    queue: router.queue,
    connections: roster,
    matches,
    activity,
    background,
    waitForUsers: (accountIds) => router.waitForUsers(accountIds),
  })
  activity.countHere(
    () => ({ searching: matching.searchingCount, talking: matches.talkingCount }),
    () => matching.speakers,
  )
  const handlers = createHubMethods({
    ...deps,
    matchRecords: router.matchRecords,
    roster,
    matches,
    matching,
    background,
  })
  const lifecycle = new ConnectionLifecycle({ roster, matches, matching, metrics })
  const rates = deps.rates ?? hubRates
  const rateLimits = new RateLimits(rates)
  const traffic = new TrafficLimits(rates.traffic)
  const connectionLimits = new ConnectionLimits(rates.connections)
  const dispatch = new Dispatch({ handlers, limits: rateLimits, clock, metrics, trace, log })
  const tickets = new Tickets(router.tickets)
  const endedLogins = new EndedLogins()
  const openConnections = new OpenConnections()
  let draining: Promise<void> | null = null
  let cancelSweep: () => void = () => undefined
  let sweeps = 0

  function seen(accountId: string): void {
    aside(log, 'hub: presence was not recorded', () => presence.seen(accountId))
  }

  const events = createConnectionHandlers({
    router,
    dispatch,
    openConnections,
    connectionLimits,
    tickets,
    metrics,
    log,
    seen,
  })
  const shared = { clock, events, batch: new WriteBatch(), acks: new AckRound(clock), region, traffic }

  /** On this server: ends what one login session of the user does on the hub, or all of them when it is null. */
  function closeHere(accountId: string, loginSessionId: string | null): void {
    endedLogins.add(accountId, clock.now())
    forgetLogins(accountId)
    const isAll = loginSessionId === null
    const why = isAll ? 'a user was blocked' : 'a user logged out'
    if (roster.has(accountId) && (isAll || roster.loginSessionOf(accountId) === loginSessionId))
      lifecycle.leave(accountId, why)
    openConnections.closeOf(accountId, loginSessionId, { error: isAll ? 'blocked' : 'login-required' })
  }

  const local: LocalHub = {
    roster,
    matches,
    matching,
    lifecycle,
    execute: (connection, invocation) => dispatch.execute(connection, invocation),
    forgetLogins,
    openConnections: {
      accounts: () => openConnections.accounts(),
      closeAll: () => openConnections.closeAll(),
      disconnect: (accountId) => closeHere(accountId, null),
      logOut: closeHere,
    },
  }

  function sweep(): void {
    const now = clock.now()
    sweeps += 1
    for (const swept of [tickets, roster, router, matching]) swept.sweep(now)
    if (sweeps % SWEEPS_OF_LIMITS === 0) for (const swept of [connectionLimits, rateLimits, traffic]) swept.sweep(now)
    openConnections.check(now, seen)
    cancelSweep = clock.after(SWEEP_MS, sweep)
  }

  async function drain(): Promise<void> {
    lifecycle.stop()
    router.stopRetries()
    const closed = openConnections.whenEmpty()
    openConnections.closeAll()
    await closed
    cancelSweep()
    await background.settled()
    await router.leave()
  }

  const entry = {
    authorise: createAuthorisation(deps),
    tickets,
    connectionLimits,
    newId: deps.newId,
    now: () => clock.now(),
    isDraining: () => draining !== null,
  }

  function register(app: FastifyInstance): void {
    registerNegotiate(app, entry)
    const upgrade = createUpgrade({
      ...entry,
      endedLogins,
      mayConnect: deps.mayConnect ?? (() => true),
      log,
      refused(request, status) {
        metrics.refused('socket', `${status}`)
        deps.socketRefused?.(request, status)
      },
      networkOf: (request) => networkOfUser(addressOf(request)),
      connected(owner, socket, network, request) {
        connectionLimits.opened(owner.accountId)
        const connection = new Connection(owner, socket, network, shared, deps.originOf?.(request) ?? null)
        openConnections.add(connection, clock.now())
        return connection
      },
    })
    app.server.on('upgrade', upgrade)
    app.addHook('onReady', async () => {
      await matches.restore()
      await router.start(local)
      cancelSweep = clock.after(SWEEP_MS, sweep)
    })
    app.addHook('preClose', () => hub.drain())
  }

  const hub: Hub = {
    register,
    activity: () => activity.counts(),
    forgetLoginsElsewhere: (accountId) => router.forgetLoginsElsewhere(accountId),
    hearsOthers: () => router.hearsOthers,
    counts: () => ({
      connections: openConnections.size,
      matches: matches.count,
      // The own region is there also when its queue is empty.
      queue: new Map([[region, { waiting: 0, away: 0 }], ...matching.counts()]),
    }),
    drain() {
      draining ??= drain()
      return draining
    },
    disconnect(accountId) {
      closeHere(accountId, null)
      router.disconnectElsewhere(accountId)
    },
    logOut({ accountId, sessionId }) {
      closeHere(accountId, sessionId)
      router.logOutElsewhere(accountId, sessionId)
    },
  }
  return hub
}
