import type { IncomingMessage } from 'node:http'
import { HUB_PATH } from '#protocol/constants.ts'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import { MatchQueue, type QueueOptions } from '../matching/rules/match-queue.ts'
import type { MatchRecords } from '../matching/rules/ports.ts'
import { hubRefusalOf } from '../operations/http/refusal-events.ts'
import { type Trace, untraced } from '../operations/rules/trace.ts'
import type { SecurityLog } from '../operations/security-log.ts'
import { addressKey, clientAddress } from '../platform/http/client-address.ts'
import type { Platform } from '../platform/platform.ts'
import type { Deletions } from '../privacy/rules/ports.ts'
import { turnRoutes } from './http/turn-routes.ts'
import { createHub, type HubDeps } from './hub.ts'
import { createLocalRouter, type HubRouter } from './hub-router.ts'
import { createOriginOf } from './origin.ts'
import { hubRates } from './rate-limits.ts'
import { createPresence, type Presence } from './rules/presence.ts'

/** Counts the users who are online on all servers with the same Redis; without Redis, on this server. */
export async function composePresence({ app, redis, clock, log }: Platform): Promise<Presence> {
  const local = createPresence(clock)
  if (!redis) return local
  const { sharePresence } = await import('./shared-presence.ts')
  return sharePresence(app, { client: redis, local, clock, log })
}

/** The router of a single server. */
export function composeLocalRouter(matching: { matchRecords: MatchRecords; queueOptions: QueueOptions }): HubRouter {
  return createLocalRouter({ queue: new MatchQueue(matching.queueOptions), matchRecords: matching.matchRecords })
}

/** What the hub gets from the platform. */
type FromPlatform =
  | 'clock'
  | 'newId'
  | 'log'
  | 'region'
  | 'matchTimeoutMs'
  | 'rates'
  | 'originAllowed'
  | 'addressOf'
  | 'originOf'
  | 'mayConnect'
  | 'socketRefused'

type Deps = Required<Omit<HubDeps, FromPlatform | 'trace'>> & {
  trace: Trace | undefined
  accounts: Accounts
  signature: (text: string) => string
  /** Called when a user of the hub is seen. */
  seen: (accountId: string) => void
  security: Pick<SecurityLog, 'record'>
}

/** The SignalR hub and the endpoints of its TURN servers. */
export function composeHub(platform: Platform, deps: Deps) {
  const { app, config, secrets, clock, newId, log, http, addressLimits, isProxy } = platform
  const { accounts, presence, seen, security, metrics, trace = untraced, signature, ...parts } = deps
  const addressOf = (request: IncomingMessage) => clientAddress(request, isProxy)
  const hub = createHub({
    ...parts,
    clock,
    newId,
    accounts,
    presence: {
      count: () => presence.count(),
      seen(accountId) {
        presence.seen(accountId)
        seen(accountId)
      },
    },
    originAllowed: http.originAllowed,
    addressOf,
    mayConnect: (request) => addressLimits.allows(addressKey(addressOf(request)), clock.now()),
    socketRefused(request, status) {
      const event = hubRefusalOf(status)
      if (event) security.record({ event, address: addressOf(request), route: `GET ${HUB_PATH}`, code: `${status}` })
    },
    originOf: createOriginOf(secrets.jwt, addressOf),
    matchTimeoutMs: config.matchTimeoutMs,
    region: config.region,
    metrics,
    trace,
    rates: hubRates,
    log: log.child({ part: 'hub' }),
  })
  const settings = { turn: config.turn, stunUrl: config.stunUrl }

  return {
    ...hub,
    /** Serves negotiate and the hub's sockets. */
    serve: () => hub.register(app),

    endpoints:
      (deletions: Pick<Deletions, 'pending'>): UserEndpointGroup =>
      (endpoint) =>
        turnRoutes(endpoint, { settings, store: { accounts, deletions }, clock, signature, metrics }),
  }
}
