import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { API_BASE } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Counts } from '../rules/counts.ts'
import {
  createRegisterEndpoint,
  type EndpointOptions,
  type EndpointTable,
  type RegisterEndpoint,
} from './endpoint-route.ts'
import { rateStore } from './rate-limit-store.ts'
import { GENERAL_RATE } from './rate-limits.ts'

/** The endpoints of one feature. `app` is the part of the server that serves the table. */
export type EndpointGroup<Table extends EndpointTable, Caller> = (
  endpoint: RegisterEndpoint<Table, Caller>,
  app: FastifyInstance,
) => void | Promise<void>

type ApiOptions<Table extends EndpointTable, Caller> = EndpointOptions<Table, Caller> & {
  /** Separates the rate limits of this table from those of other tables. */
  scope: string
  counts: Counts
  /** Counts of this server only. */
  ownCounts: Counts
  groups: readonly EndpointGroup<Table, Caller>[]
}

/** Serves one table of endpoints below `API_BASE`. All endpoints of a table have the same kind of login. */
export async function serveApi<Table extends EndpointTable, Caller>(
  app: FastifyInstance,
  { scope, counts, ownCounts, groups, ...options }: ApiOptions<Table, Caller>,
): Promise<void> {
  await app.register(
    async (part) => {
      part.removeContentTypeParser('text/plain')
      await part.register(cookie)
      if (Object.values(options.table).some(({ form }) => form))
        part.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
          done(null, body),
        )
      await part.register(rateLimit, {
        ...GENERAL_RATE,
        // Runs after the checks of login (if the endpoint needs one), content type and declared size, and before the body is read: a
        // request that those checks refuse does not count.
        hook: 'preParsing',
        store: rateStore(counts, ownCounts, scope),
        keyGenerator: options.limitKey,
        errorResponseBuilder: (_request, { after }) => new AppError('too-many-requests', `Try again in ${after}`),
      })
      const endpoint = createRegisterEndpoint(part, options)
      for (const group of groups) await group(endpoint, part)
    },
    { prefix: API_BASE },
  )
}
