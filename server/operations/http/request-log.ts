import type { FastifyInstance } from 'fastify'
import { API_BASE } from '#protocol/constants.ts'

/** Writes one line a request of an endpoint: the route, never the path or anything that the client sent. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', ({ log, method, routeOptions: { url } }, { statusCode, elapsedTime }, done) => {
    if (url?.startsWith(`${API_BASE}/`)) {
      log.info({ method, route: url, status: statusCode, ms: Math.round(elapsedTime) }, 'request')
    }
    done()
  })
}
