import cookies from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { rateStore } from '../../platform/http/rate-store.ts'
import { GENERAL_RATE } from '../../platform/http/rates.ts'
import { consoleRateKey, createConsoleAnswer } from './answer.ts'
import { caseRoutes } from './case-routes.ts'
import type { ConsoleDeps } from './deps.ts'
import { loginRoutes } from './login-routes.ts'
import { createConsoleCookies } from './session-cookie.ts'

/** Every call of the moderators' table, below the prefix that `app` is registered with. */
export async function consoleApi(app: FastifyInstance, { deps }: { deps: ConsoleDeps }): Promise<void> {
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('moderator', null)
  await app.register(cookies)
  await app.register(rateLimit, {
    ...GENERAL_RATE,
    // Before the body is read.
    hook: 'preParsing',
    store: rateStore(deps.counts, 'console'),
    keyGenerator: consoleRateKey,
    errorResponseBuilder: (_request, { after }) => new AppError('too-many-requests', `Try again in ${after}`),
  })
  const consoleCookies = createConsoleCookies(deps.secureCookies)
  const answer = createConsoleAnswer(app, deps, consoleCookies.login)
  loginRoutes(answer, deps, consoleCookies)
  caseRoutes(answer, deps)
}
