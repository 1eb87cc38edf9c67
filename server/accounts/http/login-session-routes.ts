import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatSessionCookie, parseSessionCookie, type SessionCookie } from '#protocol/cookies.ts'
import { AppError } from '#protocol/errors.ts'
import { fieldError } from '../../platform/http/problems.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { requireOwnEmail, requireOwnLoginSession } from './login.ts'

/**
 * Returns a function that resolves with the login session of a request's cookie. Without such a cookie, it issues a
 * login session and sets the cookie.
 */
export function createReadLoginSession({ store, newId, cookies, presentedLogin }: AccountHttp) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<SessionCookie> => {
    await presentedLogin.endIfLoggedOut(request, reply)
    const id = cookies.readLoginSession(request)
    if (id !== null) {
      const session = await store.loginSessions.find(id)
      return { id, type: session?.entered ? 'existing' : 'new' }
    }
    const fresh = newId()
    cookies.setLoginSession(reply, fresh)
    return { id: fresh, type: 'new' }
  }
}

/** The endpoints for a browser's login session: issue an id, enter it, record a visit, read and set the cookie with the id. */
export function loginSessionRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { store, clock, cookies } = deps
  const readLoginSession = createReadLoginSession(deps)

  endpoint('readSession', async ({ request, reply }) => ({
    cookieValue: formatSessionCookie(await readLoginSession(request, reply)),
  }))

  endpoint('createSession', async ({ input, request }) => {
    if (cookies.readLoginSession(request) !== input.UserSessionId)
      throw fieldError('forbidden', 'UserSessionId', 'This is not your session')
    await store.loginSessions.create(input.UserSessionId, clock.now())
    await store.loginSessions.enter(input, clock.now())
  })

  endpoint('addSession', async ({ input, caller }) => {
    requireOwnLoginSession(caller, 'UserSessionId', input.UserSessionId)
    requireOwnEmail(caller, 'EmailAddress', input.EmailAddress)
    // The login may have ended since the request was authenticated.
    if (!(await store.loginSessions.recordVisit(input.UserSessionId, caller.account.id, clock.now())))
      throw new AppError('login-required')
  })

  endpoint('readSessionIdCookie', ({ request }) => ({ cookieValue: cookies.readLoginSession(request) ?? '' }))

  endpoint('setSessionIdCookie', async ({ input, caller, reply }) => {
    const id = parseSessionCookie(input.CookieValue)?.id ?? input.CookieValue
    requireOwnLoginSession(caller, 'CookieValue', id)
    cookies.setLoginSession(reply, id)
  })

  endpoint('deleteSessionIdCookie', async ({ reply }) => cookies.clear(reply, 'session'))
}
