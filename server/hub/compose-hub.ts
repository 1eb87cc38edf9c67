import type { IncomingMessage } from 'node:http'
import { HUB_PATH } from '#protocol/constants.ts'
import type { UserEndpointGroup } from '../accounts/http/login.ts'
import type { AliasOf } from '../accounts/rules/alias.ts'
import type { ReadHubToken } from '../accounts/rules/login-ports.ts'
import type { Accounts } from '../accounts/rules/ports.ts'
import type { Activity } from '../matching/rules/activity.ts'
import type { Meetings } from '../matching/rules/meetings.ts'
import type { Relations } from '../matching/rules/ports.ts'
import type { Trust } from '../matching/trust.ts'
import type { Judge, RecordReport } from '../moderation/rules/ports.ts'
import { hubRefusalOf } from '../operations/http/refusal-events.ts'
import type { Metrics } from '../operations/rules/metrics.ts'
import type { Trace } from '../operations/rules/trace.ts'
import type { SecurityLog } from '../operations/security-log.ts'
import { addressKey, clientAddress } from '../platform/http/client-address.ts'
import type { Platform } from '../platform/platform.ts'
import type { Deletions } from '../privacy/rules/ports.ts'
import type { WordChecks } from '../words/rules/word-checks.ts'
import { turnRoutes } from './http/turn-routes.ts'
import { createHub } from './hub.ts'
import type { HubRouter } from './hub-router.ts'
import { createOriginOf } from './origin.ts'
import type { Presence } from './rules/presence.ts'

type Deps = {
  accounts: Accounts
  readHubToken: ReadHubToken
  forgetLogins: (accountId: string | null) => void
  aliasOf: AliasOf
  words: Pick<WordChecks, 'shownNickname'>
  signature: (text: string) => string
  relations: Relations
  meetings: Meetings
  trust: Trust
  activity: Activity
  recordReport: RecordReport
  judge: Judge
  router: HubRouter
  presence: Presence
  /** Called when a user of the hub is seen. */
  seen: (accountId: string) => void
  security: Pick<SecurityLog, 'record'>
  metrics: Metrics
  trace: Trace | undefined
  traceId: () => string | undefined
}

/** The SignalR hub and the endpoints of its TURN servers. */
export function composeHub(platform: Platform, deps: Deps) {
  const { app, config, secrets, clock, newId, log, http, addressLimits, isProxy } = platform
  const { accounts, presence, seen, security, metrics, trace, signature, ...parts } = deps
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
    ...(trace && { trace }),
    log: log.child({ part: 'hub' }),
  })

  return {
    disconnect: hub.disconnect,
    logOut: hub.logOut,
    counts: hub.counts,
    activity: hub.activity,
    drain: hub.drain,
    forgetLoginsElsewhere: hub.forgetLoginsElsewhere,
    hearsOthers: hub.hearsOthers,
    /** Serves negotiate and the hub's sockets. */
    serve: () => hub.register(app),

    endpoints:
      (deletions: Pick<Deletions, 'pending'>): UserEndpointGroup =>
      (endpoint) =>
        turnRoutes(endpoint, {
          settings: { turn: config.turn, stunUrl: config.stunUrl },
          store: { accounts, deletions },
          clock,
          signature,
          metrics,
        }),
  }
}
