import type { FastifyInstance } from 'fastify'
import { Matches, type MatchesDeps } from '../matching/matches.ts'
import { Matchmaker, type MatchmakerDeps } from '../matching/matchmaker.ts'
import type { Activity, ActivityCounts } from '../matching/rules/activity.ts'
import type { HubCounts, Metrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import { aside, Background } from '../platform/background.ts'
import { createConnectionLifecycle } from './connection-lifecycle.ts'
import { Dispatch } from './dispatch.ts'
import type { LocalHub } from './hub-router.ts'
import { createMatchMethods, type MatchMethodDeps } from './methods/match-methods.ts'
import { createReportMethod, type ReportMethodDeps } from './methods/report-method.ts'
import { createSignallingMethods, type SignallingMethodDeps } from './methods/signalling-methods.ts'
import { RateLimits } from './rate-limits.ts'
import { Roster } from './roster.ts'
import type { Presence } from './rules/presence.ts'
import { createSocketServer, type SocketServer, type SocketServerDeps } from './socket-server.ts'

const SWEEP_MS = 1_000
/** Full token buckets are removed at every tenth sweep only: an active user would need a new bucket at once. */
const SWEEPS_OF_LIMITS = 10

/** The parts that the hub itself makes and that other parts need. */
type OwnParts =
  | 'roster'
  | 'matches'
  | 'matching'
  | 'connections'
  | 'background'
  | 'queue'
  | 'matchRecords'
  | 'waitForUsers'
  | 'activity'
  | 'metrics'
  | 'trace'

export type HubDeps = SocketServerDeps &
  Omit<MatchMethodDeps & ReportMethodDeps & SignallingMethodDeps & MatchesDeps & MatchmakerDeps, OwnParts> & {
    presence: Presence
    metrics: Metrics
    trace: Trace
    activity: Activity
    /** Called when an account or one of its logins has changed on any server; with null when any account may have changed. */
    forgetLogins: (accountId: string | null) => void
  }

export interface Hub {
  /** Adds negotiate to the app and handles the upgrades of its server. The app is not ready before the matches are restored. */
  register(app: FastifyInstance): void
  /**
   * Refuses new connections and closes the open ones. Resolves when all are closed and all writes to the store are
   * done.
   */
  drain(): Promise<void>
  /** Ends the user's match, queue entry and connections on all servers. The clients may not reconnect. */
  disconnect(accountId: string): void
  /** Does what `disconnect` does for one login session; the user's other login sessions go on. */
  logOut(login: { accountId: string; sessionId: string }): void
  /** Makes all other servers check the logins of this account again. */
  forgetLoginsElsewhere(accountId: string): void
  /** False while messages of other servers may not arrive here. */
  hearsOthers(): boolean
  counts(): HubCounts
  /** Users who search and who talk, of all servers. */
  activity(): ActivityCounts
}

/** Composes what this server does for users, wherever their sockets are. */
function createUserState(deps: HubDeps, background: Background) {
  const { clock, router, log, activity, metrics, trace } = deps
  const { matchRecords, queue } = router
  const roster = new Roster(clock, { metrics, userRemoved: (accountId) => router.forget(accountId) })
  const shared = { ...deps, matchRecords, background, connections: roster, roster }
  const matches = new Matches(shared)
  const matching = new Matchmaker({
    ...shared,
    queue,
    matches,
    waitForUsers: (accountIds) => router.waitForUsers(accountIds),
  })
  activity.countHere(
    () => ({ searching: matching.searchingCount, talking: matches.talkingCount }),
    () => matching.speakers,
  )
  const limits = new RateLimits(deps.rates)
  const made = { ...shared, matches, matching }
  const handlers = { ...createMatchMethods(made), ...createSignallingMethods(made), ...createReportMethod(made) }
  const dispatch = new Dispatch({ handlers, limits, clock, metrics, trace, log })
  return {
    roster,
    matches,
    matching,
    dispatch,
    limits,
    lifecycle: createConnectionLifecycle(made),
  }
}

type UserState = ReturnType<typeof createUserState>

function createLocalHub(deps: HubDeps, state: UserState, sockets: SocketServer): LocalHub {
  const { clock, forgetLogins } = deps
  const { roster, lifecycle, dispatch } = state
  const { openConnections, endedLogins } = sockets

  /** Ends what the user does with this login session on this server; null stands for all login sessions. */
  function closeHere(accountId: string, loginSessionId: string | null): void {
    endedLogins.add(accountId, clock.now())
    forgetLogins(accountId)
    const isAll = loginSessionId === null
    const why = isAll ? 'a user was blocked' : 'a user logged out'
    if (roster.has(accountId) && (isAll || roster.loginSessionOf(accountId) === loginSessionId))
      lifecycle.leave(accountId, why)
    openConnections.closeOf(accountId, loginSessionId, { error: isAll ? 'blocked' : 'login-required' })
  }

  return {
    ...state,
    execute: (connection, invocation) => dispatch.execute(connection, invocation),
    forgetLogins,
    openConnections,
    disconnect: (accountId) => closeHere(accountId, null),
    logOut: closeHere,
  }
}

export function createHub(deps: HubDeps): Hub {
  const { clock, presence, log, router, region, activity } = deps
  const background = new Background(log, clock)
  const state = createUserState(deps, background)
  const { roster, matches, matching, dispatch, limits, lifecycle } = state
  let draining: Promise<void> | null = null
  let cancelSweep: () => void = () => undefined
  let sweeps = 0

  function seen(accountId: string): void {
    aside(log, 'hub: presence was not recorded', () => presence.seen(accountId))
  }

  const sockets = createSocketServer(deps, { dispatch, seen, isDraining: () => draining !== null })
  const { openConnections } = sockets

  const local = createLocalHub(deps, state, sockets)

  function sweep(): void {
    const now = clock.now()
    sweeps += 1
    for (const swept of [sockets.tickets, roster, router, matching]) swept.sweep(now)
    if (sweeps % SWEEPS_OF_LIMITS === 0)
      for (const swept of [sockets.connectionLimits, limits, sockets.traffic]) swept.sweep(now)
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

  const hub: Hub = {
    register(app) {
      sockets.register(app)
      app.addHook('onReady', async () => {
        await matches.restore()
        sockets.start(await router.start(local))
        cancelSweep = clock.after(SWEEP_MS, sweep)
      })
      app.addHook('preClose', () => hub.drain())
    },
    activity: () => activity.counts(),
    forgetLoginsElsewhere: (accountId) => router.forgetLoginsElsewhere(accountId),
    hearsOthers: () => router.hearsOthers,
    counts: () => ({
      connections: openConnections.size,
      matches: matches.count,
      // Contains this server's region even if its queue is empty.
      queue: new Map([[region, { waiting: 0, away: 0 }], ...matching.counts()]),
    }),
    drain() {
      draining ??= drain()
      return draining
    },
    disconnect(accountId) {
      local.disconnect(accountId)
      router.disconnectElsewhere(accountId)
    },
    logOut({ accountId, sessionId }) {
      local.logOut(accountId, sessionId)
      router.logOutElsewhere(accountId, sessionId)
    },
  }
  return hub
}
