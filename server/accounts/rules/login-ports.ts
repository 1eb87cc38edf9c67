import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import type { OwnLogin } from '#protocol/logins.ts'
import type { SessionEntry } from '#protocol/rest.ts'
import type { Account } from './ports.ts'

/** Logins, and the records of login sessions and refresh tokens. Times are milliseconds since 1970. */

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

type LoginSession = {
  id: string
  accountId: string | null
  entered: boolean
  /** When the provider last confirmed the identity; tokens that were issued before are invalid. */
  signedInAt: number
}

/** A login session with which an account is signed in. Names are as the browser reported them. */
export type AttachedLoginSession = Omit<OwnLogin, 'isCurrent'> & {
  /** When its refresh token expires; null without a refresh token. */
  until: number | null
}

export interface LoginSessions {
  /** Does nothing if the login session exists. */
  create(id: string, at: number): Promise<void>
  find(id: string): Promise<LoginSession | null>
  enter(entry: SessionEntry, at: number): Promise<void>
  /** Creates the login session if it is missing, signs the token's account in with it, and makes this its only refresh token. */
  open(token: RefreshToken, at: number): Promise<void>
  /** Records a visit. Changes nothing and resolves with false unless this account is still signed in with the login session. */
  recordVisit(id: string, accountId: string, at: number): Promise<boolean>
  /** Records that the provider confirmed the identity again. Resolves with false as `recordVisit` does. */
  confirmSignIn(id: string, accountId: string, at: number): Promise<boolean>
  /** The login sessions with which this account is signed in, the latest visit first. */
  attachedTo(accountId: string): Promise<AttachedLoginSession[]>
  setLocation(id: string, location: { city: string; country: string }): Promise<void>
  /** Resolves with a text that names the browser, device and system which the browser reported; null if it reported none. */
  deviceOf(id: string): Promise<string | null>
  /** Ends this account's login in the login session and deletes its refresh tokens, in one transaction. */
  end(id: string, accountId: string): Promise<void>
}

/** A refresh token; only its digest is stored. All tokens of one sign-in are a family, in which one token is unused. */
export type RefreshToken = {
  digest: string
  family: string
  accountId: string
  sessionId: string
  expiresAt: number
  usedAt: number | null
  /** The token that replaced this one, sealed, for a second tab that refreshes within the grace period. */
  successor: string | null
  /** Digests, made with the token, of the network and the device that used it; null before its use. */
  usedNetwork: string | null
  usedDevice: string | null
  /** 1 if this token came again from a network or device that differs from the one that used its predecessor. */
  isCrossed: number
}

export type TokenUse = { usedAt: number; successor: string; usedNetwork: string; usedDevice: string }

export interface RefreshTokens {
  find(digest: string): Promise<RefreshToken | null>
  /** Marks `digest` as used and adds `next`. Resolves with `used` if the token was rotated before, with `ended` if the login is over. */
  rotate(digest: string, use: TokenUse, next: RefreshToken): Promise<'rotated' | 'used' | 'ended'>
  setCrossed(digest: string): Promise<void>
  revokeFamily(family: string): Promise<void>
}

/** Resolves with the login that a hub token states, and its account as it is now; null for an invalid token and a login that is over. */
export type ReadHubToken = (token: string) => Promise<(Login & { account: Pick<Account, 'status'> }) | null>
