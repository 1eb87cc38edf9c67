import type { FastifyRequest } from 'fastify'
import { mayChat } from '#protocol/block-status.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { RememberedLogins } from '../remembered-logins.ts'
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

/**
 * Returns a function that resolves with the login of a request's access token, null where it has none that is valid. A token of the last
 * seconds is not checked again. Suspended users are always checked, so that they see each step of their case at once.
 */
export function createAuthenticate(deps: {
  cookies: Cookies
  jwt: Jwt
  findCaller: FindCaller
  remembered: RememberedLogins
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
    if (token !== undefined && caller && mayChat(caller.account.status)) remembered.set(token, login, caller, mark)
    return caller
  }
}
