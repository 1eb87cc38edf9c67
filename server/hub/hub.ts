import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { HUB_RESUME_MS } from '#protocol/constants.ts'
import { type Figures, type HubCounts, noFigures } from '../domain/figures.ts'
import type { Fleet } from '../domain/fleet.ts'
import type { ReadHubToken } from '../domain/login-ports.ts'
import { MatchQueue, type RegionCounts } from '../domain/match-queue.ts'
import type { Meetings } from '../domain/meetings.ts'
import type { Accounts, AliasOf, Clock, Judge, LiveSessions, Presence, Relations, TakeReport } from '../domain/ports.ts'
import { type Trace, untraced } from '../domain/trace.ts'
import { Abroad } from './abroad.ts'
import { AckRound } from './ack-round.ts'
import { createAdmission } from './admission.ts'
import { Attendance } from './attendance.ts'
import { Connection, type ConnectionEvents } from './connection.ts'
import { createDispatch } from './dispatch.ts'
import { Doors } from './doors.ts'
import { Endings } from './endings.ts'
import { Matching } from './matching.ts'
import { createMethods } from './methods.ts'
import { registerNegotiate } from './negotiate.ts'
import { type HubRates, hubRates, RateLimits } from './rate-limits.ts'
import { Roster } from './roster.ts'
import { Sessions } from './sessions.ts'
import { aside, Background } from './side-path.ts'
import { Tickets } from './tickets.ts'
import { TrafficLimits } from './traffic.ts'
import { createUpgrade } from './upgrade.ts'
import { WriteBatch } from './write-batch.ts'

const SWEEP_MS = 1_000
/** Somebody who is heard of counts as seen this often at most. */
const SEEN_EVERY_MS = 10_000

export type HubDeps = {
  clock: Clock
  random: () => number
  newId: () => string
  readHubToken: ReadHubToken
  accounts: Pick<Accounts, 'find' | 'profile'>
  relations: Relations
  liveSessions: LiveSessions
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
  relaxAfterMs: number
  /** Where this server is, and after how long of waiting people there may meet those of other regions. */
  region: string
  spillAfterMs: number
  figures?: Figures
  trace?: Trace
  log: FastifyBaseLogger
  /** The servers that are one hub together with this one. */
  fleet?: Fleet
  rates?: HubRates
  /** Where it is counted whom accounts meet; without it they may meet anybody at any time. */
  meetings?: Meetings
}

export interface Hub {
  /** Adds negotiate to the app and takes the upgrades of its server. Before the app is ready, sessions are taken up. */
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
  const { clock, newId, presence, figures = noFigures, trace = untraced, log, fleet } = deps
  const background = new Background(log, clock)
  const roster = new Roster(clock, { figures, forgotten: (accountId) => fleet?.forget(accountId) })
  const sessions = new Sessions({
    ...deps,
    ...(fleet && { liveSessions: fleet.watch(deps.liveSessions) }),
    figures,
    roster,
    background,
  })
  const { random, relaxAfterMs, spillAfterMs, region } = deps
  const line = { random, relaxAfterMs, spillAfterMs, keepMs: HUB_RESUME_MS }
  const queue = fleet?.queue(line) ?? new MatchQueue(line)
  const gather = (accountIds: string[]) => abroad?.gather(accountIds) ?? Promise.resolve()
  const matching = new Matching({
    ...deps,
    figures,
    trace,
    queue,
    roster,
    sessions,
    background,
    ...(fleet && { gather }),
  })
  const methods = createMethods({ ...deps, roster, sessions, matching, background })
  const attendance = new Attendance({ roster, sessions, matching, figures })
  const rates = deps.rates ?? hubRates
  const limits = new RateLimits(rates)
  const traffic = new TrafficLimits(rates.traffic)
  const dispatch = createDispatch({ methods, limits, clock, figures, trace, log })
  const tickets = new Tickets(fleet?.tickets)
  const admit = createAdmission(deps)
  const connections = new Map<Connection, { seenAt: number }>()
  const doors = new Doors(rates.arrivals)
  const here = {
    accounts: () => [...connections.keys()].map(({ accountId }) => accountId),
    closeAll: () => {
      for (const connection of connections.keys()) connection.close({ allowReconnect: true })
    },
    shut: (accountId: string) => close(accountId, null, 'blocked'),
    logOut: (accountId: string, sessionId: string) => close(accountId, sessionId, 'login-required'),
  }
  const parts = { roster, sessions, matching, attendance, execute: dispatch.execute, clock, log, here }
  const abroad = fleet ? new Abroad({ ...parts, fleet }) : null
  let draining: Promise<void> | null = null
  let cancelSweep: () => void = () => undefined
  let allClosed: () => void = () => undefined
  const endings = new Endings()

  function seen(accountId: string): void {
    aside(log, 'presence failed', () => presence.seen(accountId))
  }

  /** Of all logins of the user, or of one. */
  function close(accountId: string, sessionId: string | null, error: 'blocked' | 'login-required'): void {
    endings.note(accountId, clock.now())
    const isMeant = sessionId === null || roster.sessionOf(accountId) === sessionId
    const why = sessionId === null ? 'a side was shut out' : 'a side logged out'
    if (isMeant && roster.has(accountId)) attendance.leave(accountId, why)
    for (const connection of connections.keys())
      if (connection.accountId === accountId && (sessionId === null || connection.sessionId === sessionId))
        connection.close({ error })
  }

  const life: Pick<ConnectionEvents, 'opened' | 'invoked' | 'dropped' | 'returned' | 'stopped' | 'closed'> =
    abroad?.guests ?? {
      opened: (connection) => attendance.arrive(connection),
      invoked: dispatch.execute,
      dropped: (connection) => attendance.lose(connection),
      returned: (connection) => attendance.recover(connection),
      stopped: (connection) => attendance.quit(connection),
      closed: (connection) => attendance.end(connection),
    }

  const events: ConnectionEvents = {
    opened(connection) {
      seen(connection.accountId)
      life.opened(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection opened')
    },
    invoked: (connection, invocation) =>
      dispatch.isAdmitted(connection, invocation) ? life.invoked(connection, invocation) : undefined,
    flooding(connection) {
      figures.refused('socket', 'too-many-requests', connection.accountId)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection sends too much')
    },
    dropped(connection) {
      life.dropped(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection dropped')
    },
    returned(connection) {
      life.returned(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection returned')
    },
    ending: (connection) => tickets.remove(connection.token),
    stopped: (connection) => life.stopped(connection),
    closed(connection) {
      connections.delete(connection)
      doors.left(connection.accountId)
      life.closed(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection closed')
      if (connections.size === 0) allClosed()
    },
  }

  const shared = { clock, events, batch: new WriteBatch(), acks: new AckRound(clock), region, traffic }

  function sweep(): void {
    const now = clock.now()
    tickets.sweep(now)
    doors.sweep(now)
    limits.sweep(now)
    traffic.sweep(now)
    roster.sweep(now)
    abroad?.sweep(now)
    for (const [connection, state] of connections) {
      connection.check(now)
      if (connection.heardAt - state.seenAt < SEEN_EVERY_MS) continue
      state.seenAt = now
      seen(connection.accountId)
    }
    cancelSweep = clock.after(SWEEP_MS, sweep)
  }

  async function drain(): Promise<void> {
    attendance.stop()
    fleet?.end()
    const closed = new Promise<void>((resolve) => {
      allClosed = resolve
      if (connections.size === 0) resolve()
    })
    for (const connection of connections.keys()) connection.close({ allowReconnect: true })
    await closed
    cancelSweep()
    await background.settled()
    await fleet?.leave()
  }

  const door = {
    admit,
    tickets,
    doors,
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
        matches: sessions.count,
        queue: new Map([...nobody, ...matching.counts()]),
      }
    },
    register(app) {
      registerNegotiate(app, door)
      const upgrade = createUpgrade({
        ...door,
        refused(request, status) {
          figures.refused('socket', `${status}`)
          deps.socketRefused?.(request, status)
        },
        mayConnect: deps.mayConnect ?? (() => true),
        log,
        connected(owner, socket) {
          doors.entered(owner.accountId)
          const connection = new Connection(owner, socket, shared)
          connections.set(connection, { seenAt: clock.now() })
          return connection
        },
      })
      app.server.on('upgrade', upgrade)
      app.addHook('onReady', async () => {
        await sessions.restore()
        await abroad?.start()
        cancelSweep = clock.after(SWEEP_MS, sweep)
      })
      app.addHook('preClose', () => hub.drain())
    },
    drain: () => {
      draining ??= drain()
      return draining
    },
    disconnect(accountId) {
      here.shut(accountId)
      abroad?.shut(accountId)
    },
    logOut({ accountId, sessionId }) {
      here.logOut(accountId, sessionId)
      abroad?.logOut(accountId, sessionId)
    },
  }
  return hub
}
