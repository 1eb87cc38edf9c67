import type { FastifyInstance, FastifyReply } from 'fastify'
import { HUB_PATH } from '#protocol/constants.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import { type Authorise, hubQuery } from './authorisation.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { Tickets } from './tickets.ts'

/** What negotiate and the upgrade to a WebSocket need. */
export type EntryDeps = {
  authorise: Authorise
  tickets: Tickets
  connectionLimits: ConnectionLimits
  newId: () => string
  now: () => number
  isDraining: () => boolean
}

const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text'] }]
const RETRY_SECONDS = 5
const titles: Record<number, string> = {
  401: 'A hub token is needed',
  403: 'This is not allowed',
  405: 'The hub is negotiated by POST',
  426: 'The hub is a WebSocket',
  429: 'Too many connections were asked for',
  503: 'The hub takes nobody right now',
}

function refuse(reply: FastifyReply, status: number, code: ErrorCode): FastifyReply {
  const problem = { type: 'about:blank', title: titles[status], status, code }
  return reply.code(status).type('application/problem+json').send(problem)
}

/** Adds POST negotiate, and refusals of GET requests that are no WebSocket upgrade. */
export function registerNegotiate(
  app: FastifyInstance,
  { authorise, tickets, connectionLimits, newId, now, isDraining }: EntryDeps,
): void {
  app.post(`${HUB_PATH}/negotiate`, async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    if (isDraining()) return refuse(reply, 503, 'unavailable')
    const query = hubQuery(request.url)
    const user = await authorise(request.headers, query)
    if ('status' in user) return refuse(reply, user.status, user.code)
    if (!connectionLimits.mayConnect(user.accountId, now())) {
      reply.header('Retry-After', RETRY_SECONDS)
      return refuse(reply, 429, 'too-many-requests')
    }
    const version = query.get('negotiateversion') ?? '0'
    if (!/^\d{1,9}$/.test(version)) return { error: 'The version of negotiate is no whole number.' }
    const isFirstVersion = Number(version) === 0
    const isStateful = !isFirstVersion && query.get('usestatefulreconnect')?.toLowerCase() === 'true'
    const owner = await tickets.issue(user, { id: isFirstVersion ? null : newId(), isStateful }, now())
    if (!owner) {
      reply.header('Retry-After', RETRY_SECONDS)
      return refuse(reply, 503, 'unavailable')
    }
    const { id, token } = owner
    if (isFirstVersion) return { negotiateVersion: 0, connectionId: id, availableTransports }
    const response = { negotiateVersion: 1, connectionId: id, connectionToken: token, availableTransports }
    return isStateful ? { ...response, useStatefulReconnect: true } : response
  })
  app.get(`${HUB_PATH}/negotiate`, (_request, reply) => {
    reply.header('Allow', 'POST')
    return refuse(reply, 405, 'bad-request')
  })
  app.get(HUB_PATH, (_request, reply) => {
    reply.header('Upgrade', 'websocket')
    return refuse(reply, 426, 'bad-request')
  })
}
