import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Connection } from './connection.ts'
import type { ConnectionEvents } from './connection-events.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { Dispatch } from './dispatch.ts'
import type { HubRouter } from './hub-router.ts'
import type { OpenConnections } from './open-connections.ts'
import type { Tickets } from './tickets.ts'

type Deps = {
  router: HubRouter
  dispatch: Dispatch
  openConnections: OpenConnections
  connectionLimits: ConnectionLimits
  tickets: Tickets
  metrics: Pick<Metrics, 'refused'>
  log: FastifyBaseLogger
  /** Counts the user as online. */
  seen: (accountId: string) => void
}

/** What happens on the connections of this server: bookkeeping and logs here, the rest by the router. */
export function createConnectionHandlers(deps: Deps): ConnectionEvents {
  const { router, dispatch, openConnections, connectionLimits, tickets, metrics, seen } = deps

  function log({ id, accountId }: Connection, what: string): void {
    deps.log.info({ connection: id, account: accountId }, what)
  }

  return {
    opened(connection) {
      seen(connection.accountId)
      router.opened(connection)
      log(connection, 'hub: connection opened')
    },
    invoked: (connection, invocation) =>
      dispatch.isAdmitted(connection, invocation) ? router.invoked(connection, invocation) : undefined,
    trafficExceeded(connection) {
      metrics.refused('socket', 'too-many-requests', connection.accountId)
      log(connection, 'hub: connection over its traffic limit')
    },
    dropped(connection) {
      router.dropped(connection)
      log(connection, 'hub: connection dropped')
    },
    resumed(connection) {
      router.resumed(connection)
      log(connection, 'hub: connection resumed')
    },
    closing: (connection) => tickets.remove(connection.token),
    closedByClient: (connection) => router.closedByClient(connection),
    closed(connection) {
      openConnections.delete(connection)
      connectionLimits.closed(connection.accountId)
      router.closed(connection)
      log(connection, 'hub: connection closed')
    },
  }
}
