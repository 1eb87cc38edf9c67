import type { FastifyRequest } from 'fastify'
import type { LoginChecks } from '../login-checks.ts'
import type { RememberedLogins } from '../remembered-logins.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt, TokenLogin } from './jwt.ts'
import type { SignedIn } from './login.ts'

/** Resolves with the caller whose login a token states, null if that login is over. */
export type FindCaller = (login: TokenLogin) => Promise<SignedIn | null>

export function createFindCaller(checks: Pick<LoginChecks, 'accountOf'>): FindCaller {
  return async (login) => {
    const account = await checks.accountOf(login)
    return account && { account, sessionId: login.sessionId, signedInAt: login.signedInAt }
  }
}

/**
 * Returns a function that resolves with the login of a request's access token, null where it has none that is valid. A token that was
 * checked within the last seconds is not checked again.
 */
export function createAuthenticate(deps: {
  cookies: Cookies
  jwt: Jwt
  findCaller: FindCaller
  remembered: RememberedLogins
  /** Called with the account of every request that has a login. */
  seen: (accountId: string) => void
}): (request: FastifyRequest) => Promise<SignedIn | null> {
  const { cookies, jwt, findCaller, remembered, seen } = deps
  return async (request) => {
    const token = cookies.read(request, 'access')
    const known = token === undefined ? null : remembered.get(token)
    if (known) {
      seen(known.account.id)
      return known
    }
    const { mark } = remembered
    const login = await jwt.readAccessToken(token)
    const caller = login && (await findCaller(login))
    if (token === undefined || !caller) return null
    remembered.set(token, login, caller, mark)
    seen(caller.account.id)
    return caller
  }
}
