import type { FastifyInstance } from 'fastify'

/** Adds the request's id in the log to each response, so that a user's report can be found there. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}
