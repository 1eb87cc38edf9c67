import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { AppError } from '#protocol/errors.ts'
import type { Presence, Store } from '../domain/ports.ts'

const ALIVE = '/healthz'

type OperationsDeps = {
  store: Store
  presence: Presence
  draining: () => boolean
  /** What became of frames, null where they are not classified. */
  frameCounts: Readonly<Record<string, number>> | null
}

/** What an operator's machinery asks: alive, able to serve, and figures for Prometheus. Draining, it serves nothing else. */
export function operations(app: FastifyInstance, { store, presence, draining, frameCounts }: OperationsDeps): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'waggle_online_users',
    help: 'People seen within the last minute',
    registers: [registry],
    collect() {
      this.set(presence.count())
    },
  })

  if (frameCounts)
    new Gauge({
      name: 'waggle_frames',
      help: 'Frames since the start: classified, skipped because too many waited, failed',
      labelNames: ['outcome'],
      registers: [registry],
      collect() {
        for (const [outcome, count] of Object.entries(frameCounts)) this.set({ outcome }, count)
      },
    })

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

  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
