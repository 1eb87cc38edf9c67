import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { LoginSessions } from './login-ports.ts'

/** Longest time of a login after the provider confirmed the identity; a refresh does not extend it. */
export const LOGIN_MS = 90 * DAY_MS
/** Greatest age of the sign-in for export and deletion. */
export const FRESH_SIGN_IN_MS = 10 * MINUTE_MS

/** An account and the id of the login session with which it is signed in. */
export type Login = { accountId: string; sessionId: string }

/** A login as a signed token states it, with the time of its sign-in; a later sign-in makes the token invalid. */
export type SignedLogin = Login & { signedInAt: number }

/** True if the login that a token states still exists: a token stays valid by its signature after a logout. */
export async function isLive(
  loginSessions: Pick<LoginSessions, 'find'>,
  { accountId, sessionId, signedInAt }: SignedLogin,
  now: number,
): Promise<boolean> {
  const loginSession = await loginSessions.find(sessionId)
  return loginSession?.accountId === accountId && loginSession.signedInAt === signedInAt && now < signedInAt + LOGIN_MS
}

/** Ends a login: deletes its refresh tokens and closes its hub connections. */
export type EndLogin = (login: Login) => Promise<void>

export function createEndLogin(deps: {
  loginSessions: Pick<LoginSessions, 'end'>
  endOnHub: (login: Login) => void
}): EndLogin {
  return async (login) => {
    await deps.loginSessions.end(login.sessionId, login.accountId)
    deps.endOnHub(login)
  }
}
