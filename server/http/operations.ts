import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { AppError } from '#protocol/errors.ts'
import type { Store } from '../domain/ports.ts'

const ALIVE = '/healthz'
const RETRY_SECONDS = 5

type OperationsDeps = {
  store: Store
  draining: () => boolean
  registry: Registry
}

/** What an operator's machinery asks: alive, able to serve, and figures for Prometheus. Draining, it serves nothing else. */
export function operations(app: FastifyInstance, { store, draining, registry }: OperationsDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!draining() || request.url === ALIVE) return
    reply.header('retry-after', RETRY_SECONDS)
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

  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
