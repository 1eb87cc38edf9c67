import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'

/** Longest time of a login after the provider confirmed the identity; a refresh does not extend it. */
export const LOGIN_MS = 90 * DAY_MS
/** Greatest age of the sign-in for export and deletion. */
export const FRESH_SIGN_IN_MS = 10 * MINUTE_MS

/** An account and the id of the login session with which it is signed in. */
export type Login = { accountId: string; sessionId: string }

/** A login as a signed token states it, with the time of its sign-in; a later sign-in makes the token invalid. */
export type SignedLogin = Login & { signedInAt: number }

/** Ends a login: deletes its refresh tokens and closes its hub connections. */
export type EndLogin = (login: Login) => Promise<void>
