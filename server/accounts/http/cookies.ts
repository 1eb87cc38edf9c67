import cookies, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LOGOUT_COOKIE } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { isSameSecret } from '../../platform/crypto.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from '../rules/tokens.ts'

/** Browsers keep a cookie for at most 400 days. */
const LONGEST_MS = 400 * DAY_MS

const lifetimes = {
  session: LONGEST_MS,
  profile: LONGEST_MS,
  access: ACCESS_TOKEN_MS,
  refresh: REFRESH_TOKEN_MS,
}
type Sent = Readonly<Record<string, string | undefined>>
type CookieName = keyof typeof lifetimes

/**
 * The product's cookies: HttpOnly, of this host alone, and `Secure` with the `__Host-` prefix where there is https. The cookie of a login
 * session holds its id and a signature: `digest`, a keyed one-way function, of the id. The signature proves that the server issued the id.
 * So the server need not store a login session at a visitor's first request, only when the browser enters it.
 */
export function createCookies(secure: boolean, digest: (text: string) => string) {
  const wireName = (name: CookieName) => (secure ? `__Host-${name}` : name)
  const options: CookieSerializeOptions = { httpOnly: true, sameSite: 'lax', secure, path: '/' }

  /** Returns the id in the login session's cookie without a check of its signature. */
  function sessionIdOf(sent: Sent): string | undefined {
    return sent[wireName('session')]?.split('.', 1)[0]
  }
  function saysLoggedOut(sent: Sent): boolean {
    const over = sent[LOGOUT_COOKIE]
    return over !== undefined && over === sessionIdOf(sent)
  }

  function readEvenLoggedOut(request: FastifyRequest, name: CookieName): string | undefined {
    return request.cookies[wireName(name)] || undefined
  }

  /** Returns undefined for a missing or empty cookie, and after a logout of which the server does not know yet. */
  function read(request: FastifyRequest, name: CookieName): string | undefined {
    return saysLoggedOut(request.cookies) ? undefined : readEvenLoggedOut(request, name)
  }

  function set(reply: FastifyReply, name: CookieName, value: string): void {
    reply.setCookie(wireName(name), value, { ...options, maxAge: lifetimes[name] / 1000 })
  }

  const signatureOf = (sessionId: string) => digest(`session ${sessionId}`)

  return {
    read,
    readEvenLoggedOut,
    set,
    /** Returns the id of the request's login session; null without a cookie, and for an id that the server did not sign. */
    readLoginSession(request: FastifyRequest): string | null {
      const [id = '', signature = ''] = (read(request, 'session') ?? '').split('.')
      return isSameSecret(Buffer.from(signature), Buffer.from(signatureOf(id))) ? id : null
    },
    setLoginSession: (reply: FastifyReply, id: string) => set(reply, 'session', `${id}.${signatureOf(id)}`),
    /** True if the page says that this login session's user has logged out. */
    isLoggedOut: (request: FastifyRequest) => saysLoggedOut(request.cookies),
    /** True if the cookie of the request's login session has this id, or if there is no such cookie. */
    areOf: (request: FastifyRequest, sessionId: string) =>
      [undefined, sessionId].includes(sessionIdOf(request.cookies)),
    /**
     * True if the request has the cookies of a login and of a profile; their validity is not checked. Reads the header,
     * since routes of pages have no cookie plugin.
     */
    hasLogin({ headers }: FastifyRequest): boolean {
      const sent = cookies.parse(headers.cookie ?? '')
      return !saysLoggedOut(sent) && [sent[wireName('refresh')], sent[wireName('profile')]].every((value) => value)
    },
    clear(reply: FastifyReply, ...names: CookieName[]): void {
      for (const name of names) reply.clearCookie(wireName(name), options)
    },
    clearLogout(reply: FastifyReply): void {
      reply.clearCookie(LOGOUT_COOKIE, options)
    },
  }
}
export type Cookies = ReturnType<typeof createCookies>
