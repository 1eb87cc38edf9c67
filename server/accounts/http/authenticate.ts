import type { FastifyRequest } from 'fastify'
import type { FindCaller } from '../login-checks.ts'
import type { RememberedLogins } from '../remembered-logins.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'
import type { SignedIn } from './login.ts'

type Deps = {
  cookies: Cookies
  jwt: Jwt
  findCaller: FindCaller
  remembered: RememberedLogins
  seen: (accountId: string) => void
}

/**
 * Returns a function that resolves with the caller of a request; null without a valid access token. A login that was
 * checked a moment ago is not checked again.
 */
export function createAuthenticate({ cookies, jwt, findCaller, remembered, seen }: Deps) {
  return async (request: FastifyRequest): Promise<SignedIn | null> => {
    const token = cookies.read(request, 'access')
    if (token === undefined) return null
    const known = remembered.get(token)
    if (known) {
      seen(known.account.id)
      return known
    }
    const { mark } = remembered
    const login = await jwt.readAccessToken(token)
    const caller = login && (await findCaller(login))
    if (!caller) return null
    remembered.set(token, login, caller, mark)
    seen(caller.account.id)
    return caller
  }
}
