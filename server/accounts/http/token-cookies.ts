import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressPrefix } from '../../moderation/rules/risk.ts'
import { byNetwork } from '../../platform/http/rate-limits.ts'
import type { RefreshOrigin, RefreshTokenIssuer, Rotation } from '../rules/tokens.ts'
import type { Cookies } from './cookies.ts'
import type { EndPresentedLogin } from './end-presented-login.ts'
import type { Jwt } from './jwt.ts'

/** Sets the cookies of a login: its new refresh token, and an access token. */
export async function setTokenCookies(reply: FastifyReply, cookies: Cookies, jwt: Jwt, login: Rotation): Promise<void> {
  cookies.set(reply, 'access', await jwt.makeAccessToken(login))
  cookies.set(reply, 'refresh', login.token)
}

/** Returns what a refresh token is presented from. */
export function refreshOriginOf(request: FastifyRequest): RefreshOrigin {
  return {
    network: addressPrefix(request.ip) ?? byNetwork(request),
    device: request.headers['user-agent'] ?? '',
  }
}

const tokenCookies = ['access', 'refresh'] as const

type RefreshDeps = {
  cookies: Cookies
  jwt: Jwt
  refreshTokens: Pick<RefreshTokenIssuer, 'rotate'>
  presentedLogin: Pick<EndPresentedLogin, 'endIfLoggedOut'>
}

/**
 * Returns a function that replaces the refresh token of a request and sets the cookies of its login. It clears those that the request has
 * and resolves with null where there is no token that can be replaced.
 */
export function createRefreshLogin({ cookies, jwt, refreshTokens, presentedLogin }: RefreshDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Rotation | null> => {
    await presentedLogin.endIfLoggedOut(request, reply)
    const token = cookies.read(request, 'refresh')
    const rotation = token === undefined ? null : await refreshTokens.rotate(token, refreshOriginOf(request))
    if (rotation) await setTokenCookies(reply, cookies, jwt, rotation)
    // Those of this request only: after a logout the response may come when the next user has cookies already.
    else cookies.clear(reply, ...tokenCookies.filter((name) => cookies.readEvenLoggedOut(request, name) !== undefined))
    return rotation
  }
}
