import type { FastifyReply } from 'fastify'
import type { Rotation } from '../rules/tokens.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'

/** Sets the cookies of a login: its new refresh token, and an access token. */
export async function setTokenCookies(reply: FastifyReply, cookies: Cookies, jwt: Jwt, login: Rotation): Promise<void> {
  cookies.set(reply, 'access', await jwt.makeAccessToken(login))
  cookies.set(reply, 'refresh', login.token)
}
