import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/rules/clock.ts'
import { isLive } from '../rules/login.ts'
import type { LoginSessions } from '../rules/login-ports.ts'
import type { Accounts } from '../rules/ports.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt } from './jwt.ts'
import type { SignedIn } from './login.ts'

/** Returns a function that resolves with the login of a request's access token, null where it has none that is valid. */
export function createAuthenticate(deps: {
  accounts: Pick<Accounts, 'find'>
  loginSessions: LoginSessions
  cookies: Cookies
  jwt: Jwt
  clock: Clock
  /** Called with the account of every request that has a login. */
  seen: (accountId: string) => void
}): (request: FastifyRequest) => Promise<SignedIn | null> {
  const { accounts, loginSessions, cookies, jwt, clock, seen } = deps
  return async (request) => {
    const login = await jwt.readAccessToken(cookies.read(request, 'access'))
    if (!login) return null
    const [account, live] = await Promise.all([
      accounts.find(login.accountId),
      isLive(loginSessions, login, clock.now()),
    ])
    if (!account || !live || login.issuedAt < account.loginsSince) return null
    seen(account.id)
    return { account, sessionId: login.sessionId, signedInAt: login.signedInAt }
  }
}
