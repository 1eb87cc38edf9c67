import type { FastifyInstance, FastifyRequest } from 'fastify'
import { consoleEndpoints } from '#protocol/console.ts'
import { API_BASE, HUB_PATH } from '#protocol/constants.ts'
import type { Endpoint } from '#protocol/endpoint.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import { endpoints } from '#protocol/rest.ts'
import { asAppError } from '../../platform/http/problems.ts'
import type { SecurityEventName, SecurityLog } from '../security-log.ts'

type EventOfCode = Partial<Record<ErrorCode, SecurityEventName>>

const anywhere: EventOfCode = {
  'provider-refused': 'sign-in-refused',
  'origin-refused': 'origin-refused',
  'too-many-requests': 'rate-limited',
  forbidden: 'forbidden',
  blocked: 'forbidden',
  underage: 'forbidden',
  // For a body, of any type, that is too large or too slow.
  'too-large': 'upload-refused',
  timeout: 'upload-refused',
}
const ofUploads: EventOfCode = {
  'bad-request': 'upload-refused',
  'wrong-type': 'upload-refused',
  'picture-refused': 'upload-refused',
}

const urlOf = ({ path }: Endpoint) => `${API_BASE}/${path}`
const uploads: Endpoint[] = Object.values<Endpoint>(endpoints).filter(({ form }) => form !== undefined)

/** By route: the events that differ from `anywhere`. */
const byRoute = new Map<string, EventOfCode>([
  ...uploads.map((endpoint) => [urlOf(endpoint), ofUploads] as const),
  [
    urlOf(endpoints.setTokens),
    {
      'bad-request': 'sign-in-refused',
      'login-required': 'sign-in-refused',
      forbidden: 'sign-in-refused',
      blocked: 'sign-in-refused',
    },
  ],
  [
    urlOf(consoleEndpoints.login),
    { 'login-required': 'console-login-refused', 'too-many-requests': 'console-login-refused' },
  ],
  ['/metrics', { 'login-required': 'forbidden' }],
])

const NEGOTIATE = `${HUB_PATH}/negotiate`
/** Status codes whose cause is the client; the cause of 503, for example, is a server that drains. */
const hubRefusals = new Set([401, 403, 429])

/** Returns the event for a refusal of negotiate or of a hub socket; null unless the client is the cause of the status. */
export function hubRefusalOf(status: number): SecurityEventName | null {
  return hubRefusals.has(status) ? 'hub-refused' : null
}

function sourceOf(request: FastifyRequest) {
  const { method, routeOptions, ip, callerId } = request
  return { account: callerId ?? undefined, address: ip, route: `${method} ${routeOptions.url ?? 'none'}` }
}

/** Records every refused request of this app in the security log. */
export function recordRefusals(app: FastifyInstance, security: Pick<SecurityLog, 'record'>): void {
  const recorded = new WeakSet<FastifyRequest>()
  app.addHook('onError', async (request, _reply, error) => {
    const code = asAppError(error)?.code
    if (code === undefined) return
    const event = byRoute.get(request.routeOptions.url ?? '')?.[code] ?? anywhere[code]
    if (!event) return
    recorded.add(request)
    security.record({ event, code, ...sourceOf(request) })
  })
  // The hub responds to negotiate itself, without an error.
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const event = request.routeOptions.url === NEGOTIATE && !recorded.has(request) && hubRefusalOf(statusCode)
    if (event) security.record({ event, code: `${statusCode}`, ...sourceOf(request) })
    done()
  })
}
