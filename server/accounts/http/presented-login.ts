import type { FastifyReply, FastifyRequest } from 'fastify'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { addressPrefix } from '../../platform/rules/subnet.ts'
import type { EndLogin, Login, LoginSessions } from '../rules/login-ports.ts'
import { isLive } from '../rules/own-logins.ts'
import type { RefreshTokenIssuer, Rotation } from '../rules/tokens.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'

type Deps = {
  cookies: Cookies
  jwt: Jwt
  refreshTokens: RefreshTokenIssuer
  loginSessions: Pick<LoginSessions, 'find'>
  endLogin: EndLogin
  clock: Clock
}

const tokenCookies = ['access', 'refresh'] as const

export type PresentedLogin = ReturnType<typeof createPresentedLogin>

/** Reads, rotates and ends the login whose cookies a request has. */
export function createPresentedLogin({ cookies, jwt, refreshTokens, loginSessions, endLogin, clock }: Deps) {
  async function ownerOf(token: string | undefined): Promise<Login | null> {
    return token === undefined ? null : refreshTokens.ownerOf(token)
  }

  async function ofAccessToken(request: FastifyRequest): Promise<Login | null> {
    const login = await jwt.readAccessToken(cookies.readEvenLoggedOut(request, 'access'))
    return login && (await isLive(loginSessions, login, clock.now())) ? login : null
  }

  /** Sets the cookies of a login: its new refresh token, and an access token. */
  async function set(reply: FastifyReply, login: Rotation): Promise<void> {
    cookies.set(reply, 'access', await jwt.makeAccessToken(login))
    cookies.set(reply, 'refresh', login.token)
  }

  /** Replaces the refresh token of a request. Resolves with null where there is no token that can be replaced. */
  async function rotate(request: FastifyRequest): Promise<Rotation | null> {
    const token = cookies.read(request, 'refresh')
    const network = addressPrefix(request.ip) ?? byNetwork(request)
    const origin = { network, device: request.headers['user-agent'] ?? '' }
    return token === undefined ? null : refreshTokens.rotate(token, origin)
  }

  /** Ends the login of the request's tokens and clears all its cookies. */
  async function end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const logins = [await ownerOf(cookies.readEvenLoggedOut(request, 'refresh')), await ofAccessToken(request)]
    for (const login of logins) if (login) await endLogin({ accountId: login.accountId, sessionId: login.sessionId })
    cookies.clear(reply, 'access', 'refresh', 'profile', 'session')
    cookies.clearLogout(reply)
  }

  /** Ends the login if the user of this browser has logged out while the server could not be reached. */
  async function endIfLoggedOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (cookies.isLoggedOut(request)) await end(request, reply)
  }

  return {
    set,
    rotate,
    end,
    endIfLoggedOut,

    /** Resolves with the login of the request's refresh token, even if that token was used before; null without a known token. */
    owner: (request: FastifyRequest): Promise<Login | null> => ownerOf(cookies.read(request, 'refresh')),

    /**
     * Replaces the refresh token and sets the cookies of the login. If no token can be replaced, clears the cookies and resolves with null.
     */
    async refresh(request: FastifyRequest, reply: FastifyReply): Promise<Rotation | null> {
      await endIfLoggedOut(request, reply)
      const rotation = await rotate(request)
      if (rotation) await set(reply, rotation)
      // Clears only cookies that this request had: after a logout, the response may arrive when the next user has signed in.
      else
        cookies.clear(reply, ...tokenCookies.filter((name) => cookies.readEvenLoggedOut(request, name) !== undefined))
      return rotation
    },
  }
}
