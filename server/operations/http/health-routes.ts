import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '#protocol/errors.ts'
import { isLoopbackHost } from '../../config/config-values.ts'

const ALIVE = '/healthz'

type OperationsDeps = {
  /** Resolves while the database can be read and written. */
  ping: () => Promise<void>
  draining: () => boolean
  registry: Registry
  metricsToken: string | null
  /** True where the configuration tells that requests come through a proxy, which may run on this machine. */
  isBehindProxy: boolean
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Headers by which proxies name the client, or themselves. */
const forwarding =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/

/** A request of a program on this machine that no proxy passed on. A proxy that tells nothing of itself still passes the name on. */
function isFromHere({ socket, headers, hostname }: FastifyRequest): boolean {
  const { remoteAddress = '' } = socket
  if (Object.keys(headers).some((name) => forwarding.test(name))) return false
  if (!isLoopbackHost(hostname)) return false
  return loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** What an operator's machinery asks: alive, able to serve, and metrics for Prometheus. Draining, it serves nothing else. */
export function operations(app: FastifyInstance, deps: OperationsDeps): void {
  const { ping, draining, registry, metricsToken, isBehindProxy } = deps
  app.addHook('onRequest', async (request) => {
    if (!draining() || request.url === ALIVE) return
    throw new AppError('unavailable', 'The server is draining')
  })

  app.get(ALIVE, () => ({ status: 'alive' }))

  app.get('/readyz', async () => {
    try {
      await ping()
    } catch {
      throw new AppError('unavailable', 'The store does not answer')
    }
    return { status: 'ready' }
  })

  function checkReader(request: FastifyRequest): void {
    if (metricsToken === null && (isBehindProxy || !isFromHere(request)))
      throw new AppError('forbidden', 'Metrics are not for everybody: set METRICS_TOKEN')
    if (metricsToken !== null && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new AppError('login-required', 'Metrics need their token')
  }

  app.get('/metrics', { onRequest: async (request) => checkReader(request) }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
