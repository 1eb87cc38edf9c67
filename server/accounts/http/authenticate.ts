import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../platform/rules/clock.ts'
import { isLive } from '../rules/login.ts'
import type { LoginSessions } from '../rules/login-ports.ts'
import type { Accounts } from '../rules/ports.ts'
import type { Cookies } from './cookies.ts'
import type { Jwt, TokenLogin } from './jwt.ts'
import type { SignedIn } from './login.ts'

type CallerDeps = {
  accounts: Pick<Accounts, 'find'>
  loginSessions: Pick<LoginSessions, 'find'>
  clock: Clock
  /** Called with the account of every request that has a login. */
  seen: (accountId: string) => void
}

/** Resolves with the caller whose login a token states, null if that login is over. */
export type FindCaller = (login: TokenLogin) => Promise<SignedIn | null>

export function createFindCaller({ accounts, loginSessions, clock, seen }: CallerDeps): FindCaller {
  return async (login) => {
    const [account, live] = await Promise.all([
      accounts.find(login.accountId),
      isLive(loginSessions, login, clock.now()),
    ])
    if (!account || !live || login.issuedAt < account.loginsSince) return null
    seen(account.id)
    return { account, sessionId: login.sessionId, signedInAt: login.signedInAt }
  }
}

/** Returns a function that resolves with the login of a request's access token, null where it has none that is valid. */
export function createAuthenticate(deps: {
  cookies: Cookies
  jwt: Jwt
  findCaller: FindCaller
}): (request: FastifyRequest) => Promise<SignedIn | null> {
  const { cookies, jwt, findCaller } = deps
  return async (request) => {
    const login = await jwt.readAccessToken(cookies.read(request, 'access'))
    return login && findCaller(login)
  }
}
