import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AliasOf } from '../accounts/rules/alias.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import { Matches } from '../matching/matches.ts'
import { Matchmaker } from '../matching/matchmaker.ts'
import type { RegionCounts } from '../matching/rules/match-queue.ts'
import type { Meetings } from '../matching/rules/meetings.ts'
import type { Relations } from '../matching/rules/ports.ts'
import type { Judge, TakeReport } from '../moderation/rules/ports.ts'
import type { HubCounts, Metrics } from '../operations/rules/metrics.ts'
import { noMetrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import { untraced } from '../operations/rules/trace.ts'
import { aside, Background } from '../platform/background.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { AckRound } from './ack-round.ts'
import { createAuthorisation } from './authorisation.ts'
import { Connection } from './connection.ts'
import type { ConnectionEvents } from './connection-events.ts'
import { ConnectionLifecycle } from './connection-lifecycle.ts'
import { ConnectionLimits } from './connection-limits.ts'
import { Dispatch } from './dispatch.ts'
import { EndedLogins } from './ended-logins.ts'
import type { HubRouter } from './hub-router.ts'
import { createHubMethods } from './methods/hub-methods.ts'
import { registerNegotiate } from './negotiate.ts'
import type { HubRates } from './rate-limits.ts'
import { hubRates, RateLimits } from './rate-limits.ts'
import { Roster } from './roster.ts'
import type { Presence } from './rules/presence.ts'
import { Tickets } from './tickets.ts'
import { TrafficLimits } from './traffic.ts'
import { createUpgrade } from './upgrade.ts'
import { WriteBatch } from './write-batch.ts'

const SWEEP_MS = 1_000
/** Somebody who is heard of counts as seen this often at most. */
const SEEN_EVERY_MS = 10_000

export type HubDeps = {
  clock: Clock
  newId: () => string
  readHubToken: ReadHubToken
  accounts: Pick<Accounts, 'find' | 'profile'>
  relations: Relations
  takeReport: TakeReport
  judge: Judge
  aliasOf: AliasOf
  presence: Presence
  originAllowed: (origin: string | undefined) => boolean
  /** False for a socket of an address that asks too much. */
  mayConnect?: (request: IncomingMessage) => boolean
  /** Called for each socket that is refused, with the status of the refusal. */
  socketRefused?: (request: IncomingMessage, status: number) => void
  matchTimeoutMs: number
  /** Where this server is. */
  region: string
  metrics?: Metrics
  trace?: Trace
  log: FastifyBaseLogger
  router: HubRouter
  rates?: HubRates
  /** Limits how many people an account meets a minute; without it there is no limit. */
  meetings?: Meetings
}

export interface Hub {
  /** Adds negotiate to the app and takes the upgrades of its server. Before the app is ready, matches are taken up. */
  register(app: FastifyInstance): void
  /** Refuses newcomers, asks everybody to reconnect, and resolves when all sockets are closed and the store is quiet. */
  drain(): Promise<void>
  /** Ends whatever this user does on the hub, at once and without a way back. */
  disconnect(accountId: string): void
  /** The same for what this login does there; what the user does in another browser goes on. */
  logOut(login: { accountId: string; sessionId: string }): void
  counts(): HubCounts
}

export function createHub(deps: HubDeps): Hub {
  const { clock, newId, presence, metrics = noMetrics, trace = untraced, log, router } = deps
  const background = new Background(log, clock)
  const roster = new Roster(clock, { metrics, forgotten: (accountId) => router.forget(accountId) })
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
    background,
    gather: (accountIds) => router.gather(accountIds),
  })
  const handlers = createHubMethods({ ...deps, roster, matches, matching, background })
  const lifecycle = new ConnectionLifecycle({ roster, matches, matching, metrics })
  const rates = deps.rates ?? hubRates
  const limits = new RateLimits(rates)
  const traffic = new TrafficLimits(rates.traffic)
  const dispatch = new Dispatch({ handlers, limits, clock, metrics, trace, log })
  const tickets = new Tickets(router.tickets)
  const admit = createAuthorisation(deps)
  const connections = new Map<Connection, { seenAt: number }>()
  const connectionLimits = new ConnectionLimits(rates.connections)
  const openConnections = {
    accounts: () => [...connections.keys()].map(({ accountId }) => accountId),
    closeAll: () => {
      for (const connection of connections.keys()) connection.close({ allowReconnect: true })
    },
    disconnect: (accountId: string) => close(accountId, null, 'blocked'),
    logOut: (accountId: string, sessionId: string) => close(accountId, sessionId, 'login-required'),
  }
  let draining: Promise<void> | null = null
  let cancelSweep: () => void = () => undefined
  let allClosed: () => void = () => undefined
  const endings = new EndedLogins()

  function seen(accountId: string): void {
    aside(log, 'presence failed', () => presence.seen(accountId))
  }

  /** Of all logins of the user, or of one. */
  function close(accountId: string, sessionId: string | null, error: 'blocked' | 'login-required'): void {
    endings.note(accountId, clock.now())
    const isMeant = sessionId === null || roster.loginSessionOf(accountId) === sessionId
    const why = sessionId === null ? 'a side was shut out' : 'a side logged out'
    if (isMeant && roster.has(accountId)) lifecycle.leave(accountId, why)
    for (const connection of connections.keys())
      if (connection.accountId === accountId && (sessionId === null || connection.sessionId === sessionId))
        connection.close({ error })
  }

  const events: ConnectionEvents = {
    opened(connection) {
      seen(connection.accountId)
      router.opened(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection opened')
    },
    invoked: (connection, invocation) =>
      dispatch.isAdmitted(connection, invocation) ? router.invoked(connection, invocation) : undefined,
    trafficExceeded(connection) {
      metrics.refused('socket', 'too-many-requests', connection.accountId)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection sends too much')
    },
    dropped(connection) {
      router.dropped(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection dropped')
    },
    resumed(connection) {
      router.resumed(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection returned')
    },
    closing: (connection) => tickets.remove(connection.token),
    closedByClient: (connection) => router.closedByClient(connection),
    closed(connection) {
      connections.delete(connection)
      connectionLimits.closed(connection.accountId)
      router.closed(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection closed')
      if (connections.size === 0) allClosed()
    },
  }

  const { region } = deps
  const shared = { clock, events, batch: new WriteBatch(), acks: new AckRound(clock), region, traffic }

  function sweep(): void {
    const now = clock.now()
    tickets.sweep(now)
    connectionLimits.sweep(now)
    limits.sweep(now)
    traffic.sweep(now)
    roster.sweep(now)
    router.sweep(now)
    for (const [connection, state] of connections) {
      connection.check(now)
      if (connection.lastReceivedAt - state.seenAt < SEEN_EVERY_MS) continue
      state.seenAt = now
      seen(connection.accountId)
    }
    cancelSweep = clock.after(SWEEP_MS, sweep)
  }

  async function drain(): Promise<void> {
    lifecycle.stop()
    router.stopRetries()
    const closed = new Promise<void>((resolve) => {
      allClosed = resolve
      if (connections.size === 0) resolve()
    })
    for (const connection of connections.keys()) connection.close({ allowReconnect: true })
    await closed
    cancelSweep()
    await background.settled()
    await router.leave()
  }

  const door = {
    admit,
    tickets,
    connectionLimits,
    newId,
    now: () => clock.now(),
    isDraining: () => draining !== null,
    endings,
  }

  const hub: Hub = {
    counts() {
      const nobody: RegionCounts = new Map([[region, { waiting: 0, away: 0 }]])
      return {
        connections: connections.size,
        matches: matches.count,
        queue: new Map([...nobody, ...matching.counts()]),
      }
    },
    register(app) {
      registerNegotiate(app, door)
      const upgrade = createUpgrade({
        ...door,
        refused(request, status) {
          metrics.refused('socket', `${status}`)
          deps.socketRefused?.(request, status)
        },
        mayConnect: deps.mayConnect ?? (() => true),
        log,
        connected(owner, socket) {
          connectionLimits.opened(owner.accountId)
          const connection = new Connection(owner, socket, shared)
          connections.set(connection, { seenAt: clock.now() })
          return connection
        },
      })
      app.server.on('upgrade', upgrade)
      app.addHook('onReady', async () => {
        await matches.restore()
        await router.start({
          roster,
          matches,
          matching,
          lifecycle,
          execute: (connection, invocation) => dispatch.execute(connection, invocation),
          openConnections,
        })
        cancelSweep = clock.after(SWEEP_MS, sweep)
      })
      app.addHook('preClose', () => hub.drain())
    },
    drain: () => {
      draining ??= drain()
      return draining
    },
    disconnect(accountId) {
      openConnections.disconnect(accountId)
      router.disconnectElsewhere(accountId)
    },
    logOut({ accountId, sessionId }) {
      openConnections.logOut(accountId, sessionId)
      router.logOutElsewhere(accountId, sessionId)
    },
  }
  return hub
}
