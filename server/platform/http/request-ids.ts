import type { FastifyInstance } from 'fastify'

/** Each answer names its request as the log does, so that what somebody reports can be found there. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
