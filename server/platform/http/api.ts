import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { locationRoutes } from '../../accounts/http/location-routes.ts'
import { rateKey } from '../../accounts/http/login.ts'
import { loginRoutes } from '../../accounts/http/login-routes.ts'
import { createLoginSessionCookie } from '../../accounts/http/login-session-cookie.ts'
import { loginSessionRoutes } from '../../accounts/http/login-session-routes.ts'
import { profileRoutes } from '../../accounts/http/profile-routes.ts'
import { signInRoutes } from '../../accounts/http/sign-in-routes.ts'
import { tokenRoutes } from '../../accounts/http/token-routes.ts'
import { frameRoutes } from '../../frames/http/frame-routes.ts'
import { turnRoutes } from '../../hub/http/turn-routes.ts'
import { moderationRoutes } from '../../moderation/http/moderation-routes.ts'
import { serviceRoutes } from '../../operations/http/service-routes.ts'
import { facebookDeletion } from '../../privacy/http/facebook-deletion.ts'
import { myDataRoutes } from '../../privacy/http/my-data-routes.ts'
import { createAnswer } from './call-route.ts'
import { createCookies } from './cookies.ts'
import type { HttpDeps } from './deps.ts'
import { rateStore } from './rate-store.ts'
import { GENERAL_RATE } from './rates.ts'

/** Every call of the protocol's table, below the prefix that `app` is registered with. */
export async function api(app: FastifyInstance, { deps }: { deps: HttpDeps }): Promise<void> {
  const cookies = createCookies(deps.settings.secureCookies)
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('signedIn', null)
  await app.register(cookie)
  await app.register(multipart)
  await app.register(rateLimit, {
    ...GENERAL_RATE,
    // Behind login, type and declared size, so that only calls which got that far count; before the body is read.
    hook: 'preParsing',
    store: rateStore(deps.counts, 'api'),
    keyGenerator: rateKey,
    errorResponseBuilder: (_request, { after }) => new AppError('too-many-requests', `Try again in ${after}`),
  })
  const answer = createAnswer(app, deps, cookies)
  const carried = createLoginSessionCookie(cookies, deps.signature)
  loginSessionRoutes(answer, deps, cookies, carried)
  signInRoutes(answer, deps, cookies, carried)
  tokenRoutes(answer, deps, cookies)
  loginRoutes(answer, deps, cookies)
  profileRoutes(answer, deps, cookies)
  moderationRoutes(answer, deps)
  frameRoutes(answer, deps)
  locationRoutes(answer, deps)
  turnRoutes(answer, deps)
  serviceRoutes(answer, deps)
  myDataRoutes(answer, deps, cookies)
  await app.register(facebookDeletion, { deps })
}
