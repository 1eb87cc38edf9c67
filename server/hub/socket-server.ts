import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { EndedLogins } from '../accounts/rules/ended-logins.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'
import { networkOfUser } from '../matching/rules/candidates.ts'
import type { Origin } from '../matching/rules/trust.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { createAuthorisation } from './authorisation.ts'
import { Connection, type ConnectionEvents } from './connection.ts'
import { ConnectionLimits } from './connection-limits.ts'
import type { Dispatch } from './dispatch.ts'
import type { ConnectionHandlers, HubRouter } from './hub-router.ts'
import { registerNegotiate } from './negotiate.ts'
import { OpenConnections } from './open-connections.ts'
import type { HubRates } from './rate-limits.ts'
import { Tickets } from './tickets.ts'
import { TrafficLimits } from './traffic.ts'
import { createUpgrade } from './upgrade.ts'
import { createAckRound, WriteBatch } from './write-batch.ts'

export type SocketServerDeps = {
  clock: Clock
  newId: () => string
  readHubToken: ReadHubToken
  originAllowed: (origin: string | undefined) => boolean
  /** Returns the client's address. */
  addressOf: (request: IncomingMessage) => string
  /** Returns null when the network is not known. */
  originOf: (request: IncomingMessage) => Origin | null
  /** Returns false for a socket of an address that is over its limit. */
  mayConnect: (request: IncomingMessage) => boolean
  /** Called for each socket that is refused, with the HTTP status of the refusal. */
  socketRefused: (request: IncomingMessage, status: number) => void
  region: string
  router: HubRouter
  rates: HubRates
  metrics: Metrics
  log: FastifyBaseLogger
}

type Parts = {
  dispatch: Dispatch
  /** Counts the user as online. */
  seen: (accountId: string) => void
  isDraining: () => boolean
}

/** Accepts or refuses sockets, and lists and measures the connections of this server. The router's handlers do the rest. */
export function createSocketServer(deps: SocketServerDeps, { dispatch, seen, isDraining }: Parts) {
  const { clock, log, router, region, rates, metrics, addressOf } = deps
  const openConnections = new OpenConnections()
  const endedLogins = new EndedLogins()
  const tickets = new Tickets(router.tickets)
  const connectionLimits = new ConnectionLimits(rates.connections)
  const traffic = new TrafficLimits(rates.traffic)
  let handlers: ConnectionHandlers

  function logAbout({ id, accountId }: Connection, what: string): void {
    log.info({ connection: id, account: accountId }, what)
  }

  const events: ConnectionEvents = {
    opened(connection) {
      seen(connection.accountId)
      handlers.opened(connection)
      logAbout(connection, 'hub: connection opened')
    },
    invoked: (connection, invocation) =>
      dispatch.isAdmitted(connection, invocation) ? handlers.invoked(connection, invocation) : undefined,
    trafficExceeded(connection) {
      metrics.refused('socket', 'too-many-requests', connection.accountId)
      logAbout(connection, 'hub: connection over its traffic limit')
    },
    dropped(connection) {
      handlers.dropped(connection)
      logAbout(connection, 'hub: connection dropped')
    },
    resumed(connection) {
      handlers.resumed(connection)
      logAbout(connection, 'hub: connection resumed')
    },
    closing: (connection) => tickets.remove(connection.token),
    closedByClient: (connection) => handlers.closedByClient(connection),
    closed(connection) {
      openConnections.delete(connection)
      connectionLimits.closed(connection.accountId)
      handlers.closed(connection)
      logAbout(connection, 'hub: connection closed')
    },
  }

  function register(app: FastifyInstance): void {
    const shared = { clock, events, batch: new WriteBatch(), acks: createAckRound(clock), region, traffic }
    const entry = {
      authorise: createAuthorisation(deps),
      tickets,
      connectionLimits,
      newId: deps.newId,
      now: () => clock.now(),
      isDraining,
    }
    registerNegotiate(app, entry)
    const upgrade = createUpgrade({
      ...entry,
      endedLogins,
      mayConnect: deps.mayConnect,
      log,
      refused(request, status) {
        metrics.refused('socket', `${status}`)
        deps.socketRefused(request, status)
      },
      networkOf: (request) => networkOfUser(addressOf(request)),
      connected(owner, socket, network, request) {
        connectionLimits.opened(owner.accountId)
        const connection = new Connection(owner, socket, network, shared, deps.originOf(request))
        openConnections.add(connection, clock.now())
        return connection
      },
    })
    app.server.on('upgrade', upgrade)
  }

  /** Called before the first connection. */
  function start(started: ConnectionHandlers): void {
    handlers = started
  }

  return { register, start, openConnections, endedLogins, tickets, connectionLimits, traffic }
}

export type SocketServer = ReturnType<typeof createSocketServer>
