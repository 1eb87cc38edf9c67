import type { FastifyRequest } from 'fastify'
import { formatSessionCookie, parseSessionCookie } from '#protocol/cookies.ts'
import { VALID } from '#protocol/rest.ts'
import type { UserSession } from '../domain/ports.ts'
import type { Answer } from './call-route.ts'
import type { Cookies } from './cookies.ts'
import type { HttpDeps } from './deps.ts'
import { ownEmail, ownSession } from './owner.ts'
import { fieldError } from './problems.ts'

/** The session a browser carries, its entry, and the cookie that holds its id. */
export function sessionRoutes(answer: Answer, { store, clock, newId }: HttpDeps, cookies: Cookies): void {
  async function carried(request: FastifyRequest): Promise<UserSession | null> {
    const id = cookies.read(request, 'session')
    return id === undefined ? null : store.sessions.find(id)
  }

  answer('readSession', async ({ request, reply }) => {
    const session = await carried(request)
    if (session)
      return { cookieValue: formatSessionCookie({ id: session.id, type: session.entered ? 'existing' : 'new' }) }
    const id = newId()
    await store.sessions.create(id, clock.now())
    cookies.set(reply, 'session', id)
    return { cookieValue: formatSessionCookie({ id, type: 'new' }) }
  })

  answer('createSession', async ({ input, request }) => {
    const session = await carried(request)
    if (session?.id !== input.UserSessionId) throw fieldError('forbidden', 'UserSessionId', 'This is not your session')
    await store.sessions.enter(input, clock.now())
    return { message: VALID }
  })

  answer('addSession', async ({ input, caller }) => {
    ownSession(caller, 'UserSessionId', input.UserSessionId)
    ownEmail(caller, 'EmailAddress', input.EmailAddress)
    await store.sessions.attach(input.UserSessionId, caller.account.id, clock.now())
    return { message: VALID }
  })

  answer('readSessionIdCookie', async ({ request }) => ({ cookieValue: (await carried(request))?.id ?? '' }))

  answer('setSessionIdCookie', async ({ input, caller, reply }) => {
    const id = parseSessionCookie(input.CookieValue)?.id ?? input.CookieValue
    ownSession(caller, 'CookieValue', id)
    cookies.set(reply, 'session', id)
    return { message: VALID }
  })

  answer('deleteSessionIdCookie', ({ reply }) => {
    cookies.clear(reply, 'session')
    return { message: VALID }
  })
}
