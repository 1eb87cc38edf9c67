import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { LoginSessions } from './login-ports.ts'

/** A login ends this long after the provider vouched for the person, however often it is refreshed. */
export const LOGIN_MS = 90 * DAY_MS
/** Export and deletion need a sign-in that is at most this old. */
export const FRESH_SIGN_IN_MS = 10 * MINUTE_MS

/** The account that is signed in, and the session that it is signed in with. */
export type Login = { accountId: string; sessionId: string }

/** What a signed token says of a login: it belongs to the sign-in of this moment, and dies with it. */
export type SignedLogin = Login & { signedInAt: number }

/** A signed token outlives the logout; the login that it names does not. */
export async function isLive(
  loginSessions: Pick<LoginSessions, 'find'>,
  { accountId, sessionId, signedInAt }: SignedLogin,
  now: number,
): Promise<boolean> {
  const session = await loginSessions.find(sessionId)
  return session?.accountId === accountId && session.signedInAt === signedInAt && now < signedInAt + LOGIN_MS
}

/** Ends a login: its tokens, and its connections to the hub. */
export type EndLogin = (login: Login) => Promise<void>

export function createEndLogin(deps: {
  loginSessions: Pick<LoginSessions, 'end'>
  /** Closes the hub connections of this login. */
  endOnHub: (login: Login) => void
}): EndLogin {
  return async (login) => {
    await deps.loginSessions.end(login.sessionId, login.accountId)
    deps.endOnHub(login)
  }
}
