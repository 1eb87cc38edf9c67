import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '#protocol/errors.ts'
import { isLoopbackHost } from '../../config/config-values.ts'
import { inNetworks } from '../../platform/http/client-address.ts'

const ALIVE = '/healthz'

type OperationsDeps = {
  /** Resolves while the database can be read and written. */
  ping: () => Promise<void>
  draining: () => boolean
  registry: Registry
  metricsToken: string | null
  /** True if the configuration names a proxy, which may run on this machine. */
  isBehindProxy: boolean
}

const isLoopback = inNetworks('127.0.0.0/8, ::1')

/** Headers in which proxies name the client or themselves. */
const forwarding =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/

/**
 * True for a request from this machine that did not pass a proxy. A proxy that sends no forwarding headers still sends
 * the public host name.
 */
function isLocalRequest({ socket, headers, hostname }: FastifyRequest): boolean {
  if (Object.keys(headers).some((name) => forwarding.test(name))) return false
  return isLoopbackHost(hostname) && isLoopback(socket.remoteAddress ?? '')
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** Adds the endpoints for monitoring: liveness, readiness and metrics. A server that drains refuses every request but liveness. */
export function operations(app: FastifyInstance, deps: OperationsDeps): void {
  const { ping, draining, registry, metricsToken, isBehindProxy } = deps
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = draining() && request.url !== ALIVE
    done(isRefused ? new AppError('unavailable', 'The server is draining') : undefined)
  })

  app.get(ALIVE, () => ({ status: 'alive' }))

  app.get('/readyz', async () => {
    try {
      await ping()
    } catch {
      throw new AppError('unavailable', 'The store does not respond')
    }
    return { status: 'ready' }
  })

  function checkMetricsAccess(request: FastifyRequest): void {
    if (metricsToken === null && (isBehindProxy || !isLocalRequest(request)))
      throw new AppError('forbidden', 'Metrics are not public: set METRICS_TOKEN')
    if (metricsToken !== null && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new AppError('login-required', 'Metrics need their token')
  }

  app.get('/metrics', { onRequest: async (request) => checkMetricsAccess(request) }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
