import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Figures, type HubCounts, noFigures } from '../domain/figures.ts'
import type {
  Accounts,
  AliasOf,
  Clock,
  Judge,
  LiveSessions,
  Presence,
  ReadHubToken,
  Relations,
  TakeReport,
} from '../domain/ports.ts'
import { type Trace, untraced } from '../domain/trace.ts'
import { AckRound } from './ack-round.ts'
import { createAdmission } from './admission.ts'
import { Attendance } from './attendance.ts'
import { Connection, type ConnectionEvents } from './connection.ts'
import { createDispatch } from './dispatch.ts'
import { Doors } from './doors.ts'
import { Matching } from './matching.ts'
import { createMethods } from './methods.ts'
import { registerNegotiate } from './negotiate.ts'
import { type HubRates, hubRates, RateLimits } from './rate-limits.ts'
import { Roster } from './roster.ts'
import { Sessions } from './sessions.ts'
import { aside, Background } from './side-path.ts'
import { Tickets } from './tickets.ts'
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
  matchTimeoutMs: number
  relaxAfterMs: number
  figures?: Figures
  trace?: Trace
  log: FastifyBaseLogger
  rates?: HubRates
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
  const { clock, newId, presence, figures = noFigures, trace = untraced, log } = deps
  const background = new Background(log)
  const roster = new Roster(clock, figures)
  const sessions = new Sessions({ ...deps, figures, roster, background })
  const matching = new Matching({ ...deps, figures, trace, roster, sessions, background })
  const methods = createMethods({ ...deps, roster, sessions, matching, background })
  const attendance = new Attendance({ roster, sessions, matching })
  const limits = new RateLimits(deps.rates ?? hubRates)
  const dispatch = createDispatch({ methods, limits, clock, figures, trace, log })
  const tickets = new Tickets()
  const admit = createAdmission(deps)
  const connections = new Map<Connection, { seenAt: number }>()
  const doors = new Doors()
  let draining: Promise<void> | null = null
  let cancelSweep: () => void = () => undefined
  let allClosed: () => void = () => undefined

  function seen(accountId: string): void {
    aside(log, 'presence failed', () => presence.seen(accountId))
  }

  const events: ConnectionEvents = {
    opened(connection) {
      seen(connection.accountId)
      if (attendance.arrive(connection) === 'same page') figures.resumed('connection')
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection opened')
    },
    invoked: dispatch,
    dropped(connection) {
      attendance.lose(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection dropped')
    },
    returned(connection) {
      attendance.recover(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection returned')
      figures.resumed('socket')
    },
    ending: (connection) => tickets.remove(connection.token),
    stopped: (connection) => attendance.quit(connection),
    closed(connection) {
      connections.delete(connection)
      doors.left(connection.accountId)
      attendance.end(connection)
      log.info({ connection: connection.id, account: connection.accountId }, 'hub connection closed')
      if (connections.size === 0) allClosed()
    },
  }

  const shared = { clock, events, batch: new WriteBatch(), acks: new AckRound(clock) }

  function sweep(): void {
    const now = clock.now()
    tickets.sweep(now)
    doors.sweep(now)
    limits.sweep(now)
    roster.sweep(now)
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
    const closed = new Promise<void>((resolve) => {
      allClosed = resolve
      if (connections.size === 0) resolve()
    })
    for (const connection of connections.keys()) connection.close({ allowReconnect: true })
    await closed
    cancelSweep()
    await background.settled()
  }

  const door = {
    admit,
    tickets,
    doors,
    newId,
    now: () => clock.now(),
    isDraining: () => draining !== null,
  }

  const hub: Hub = {
    counts: () => ({ connections: connections.size, matches: sessions.count, ...matching.counts() }),
    register(app) {
      registerNegotiate(app, door)
      const upgrade = createUpgrade({
        ...door,
        refused: (status) => figures.refused('socket', `${status}`),
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
        cancelSweep = clock.after(SWEEP_MS, sweep)
      })
      app.addHook('preClose', () => hub.drain())
    },
    drain: () => {
      draining ??= drain()
      return draining
    },
    disconnect(accountId) {
      attendance.leave(accountId, 'a side was shut out')
      for (const connection of connections.keys())
        if (connection.accountId === accountId) connection.close({ error: 'blocked' })
    },
    logOut({ accountId, sessionId }) {
      if (roster.sessionOf(accountId) === sessionId) attendance.leave(accountId, 'a side logged out')
      for (const connection of connections.keys())
        if (connection.accountId === accountId && connection.sessionId === sessionId)
          connection.close({ error: 'login-required' })
    },
  }
  return hub
}
