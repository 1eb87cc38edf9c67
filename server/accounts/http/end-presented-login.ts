import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/rules/clock.ts'
import { type EndLogin, isLive, type Login } from '../rules/login.ts'
import type { LoginSessions } from '../rules/login-ports.ts'
import type { RefreshTokenIssuer } from '../rules/tokens.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'

type Deps = {
  cookies: Cookies
  jwt: Pick<Jwt, 'readAccessToken'>
  refreshTokens: Pick<RefreshTokenIssuer, 'ownerOf'>
  loginSessions: Pick<LoginSessions, 'find'>
  endLogin: EndLogin
  clock: Clock
}

export type EndPresentedLogin = ReturnType<typeof createEndPresentedLogin>

/** Ends the login whose cookies a request has. */
export function createEndPresentedLogin({ cookies, jwt, refreshTokens, loginSessions, endLogin, clock }: Deps) {
  async function ofRefreshToken(request: FastifyRequest): Promise<Login | null> {
    const token = cookies.readEvenLoggedOut(request, 'refresh')
    return token === undefined ? null : refreshTokens.ownerOf(token)
  }

  async function ofAccessToken(request: FastifyRequest): Promise<Login | null> {
    const login = await jwt.readAccessToken(cookies.readEvenLoggedOut(request, 'access'))
    return login && (await isLive(loginSessions, login, clock.now())) ? login : null
  }

  /** Ends the login of the request's tokens and clears all its cookies. */
  async function end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    for (const login of [await ofRefreshToken(request), await ofAccessToken(request)])
      if (login) await endLogin({ accountId: login.accountId, sessionId: login.sessionId })
    cookies.clear(reply, 'access', 'refresh', 'profile', 'session')
    cookies.clearLogout(reply)
  }

  return {
    end,
    /** Ends it if the user of this browser has logged out while the server could not be reached. */
    async endIfLoggedOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (cookies.isLoggedOut(request)) await end(request, reply)
    },
  }
}
