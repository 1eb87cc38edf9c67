import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '#protocol/errors.ts'
import type { Store } from '../domain/ports.ts'

const ALIVE = '/healthz'

type OperationsDeps = {
  store: Store
  draining: () => boolean
  registry: Registry
  metricsToken: string | null
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Asked on this machine and not passed on by a proxy, which may run here too. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const { remoteAddress = '' } = socket
  const passedOn = ['forwarded', 'x-forwarded-for', 'via'].some((name) => name in headers)
  return !passedOn && loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** What an operator's machinery asks: alive, able to serve, and figures for Prometheus. Draining, it serves nothing else. */
export function operations(app: FastifyInstance, { store, draining, registry, metricsToken }: OperationsDeps): void {
  app.addHook('onRequest', async (request) => {
    if (!draining() || request.url === ALIVE) return
    throw new AppError('unavailable', 'The server is draining')
  })

  app.get(ALIVE, () => ({ status: 'alive' }))

  app.get('/readyz', async () => {
    try {
      await store.ping()
    } catch {
      throw new AppError('unavailable', 'The store does not answer')
    }
    return { status: 'ready' }
  })

  function checkReader(request: FastifyRequest): void {
    if (metricsToken === null && !isFromHere(request)) throw new AppError('forbidden', 'Figures are not for everybody')
    if (metricsToken !== null && !sameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      throw new AppError('login-required', 'Figures need their token')
  }

  app.get('/metrics', { onRequest: async (request) => checkReader(request) }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
