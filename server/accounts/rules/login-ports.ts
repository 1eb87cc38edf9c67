import type { SessionEntry } from '#protocol/rest.ts'
import type { Login } from './login.ts'

/** What logins ask of the records. Times are milliseconds since 1970. */

type UserSession = {
  id: string
  accountId: string | null
  entered: boolean
  /** When the provider last vouched for the person; tokens that were made before it are no good. */
  signedInAt: number
}

/** A session that has a login. Texts are as the browser reported them. */
export type AttachedLoginSession = {
  id: string
  signedInAt: number
  seenAt: number
  /** When its refresh token expires; null where it has none. */
  until: number | null
  browser: string | null
  device: string | null
  os: string | null
  city: string | null
  country: string | null
}

export interface LoginSessions {
  /** Does nothing where the session is there already. */
  create(id: string, at: number): Promise<void>
  find(id: string): Promise<UserSession | null>
  enter(entry: SessionEntry, at: number): Promise<void>
  /** Binds an existing session to the account that signs in with it. */
  attach(id: string, accountId: string, at: number): Promise<void>
  /**
   * Opens a login: creates the session if it is missing, binds it to the token's account, and replaces all refresh tokens of the
   * session by this one. One transaction.
   */
  open(token: RefreshToken, at: number): Promise<void>
  /** Notes a visit. False, and nothing changes, unless this account is still signed in with the session. */
  see(id: string, accountId: string, at: number): Promise<boolean>
  /** Notes that the provider vouched for the person again. False as of `see`. */
  confirm(id: string, accountId: string, at: number): Promise<boolean>
  /** The sessions that this account is signed in with, the latest visit first. */
  attachedTo(accountId: string): Promise<AttachedLoginSession[]>
  /** Place names as the browser reported them. */
  setLocation(id: string, place: { city: string; country: string }): Promise<void>
  /** What the browser said of its device; null where it said nothing. */
  device(id: string): Promise<string | null>
  /** Ends this account's login in it and deletes its refresh tokens, in one transaction. */
  end(id: string, accountId: string): Promise<void>
}

/** Refresh tokens live in families: one family a sign-in, one live token in it. Only digests are stored. */
export type RefreshToken = {
  digest: string
  family: string
  accountId: string
  sessionId: string
  expiresAt: number
  usedAt: number | null
  /** The token that replaced it, sealed, for a second tab that refreshes within the grace. */
  successor: string | null
}

export interface RefreshTokens {
  add(token: RefreshToken): Promise<void>
  find(digest: string): Promise<RefreshToken | null>
  /**
   * Marks `digest` used and adds `next`, in one transaction. Changes nothing and returns `used` when another request was first,
   * `ended` when the account is no longer signed in with the session.
   */
  rotate(digest: string, successor: string, next: RefreshToken, at: number): Promise<'rotated' | 'used' | 'ended'>
  revokeFamily(family: string): Promise<void>
}

/** The login that a hub token was made for; null when it is no good. */
export type ReadHubToken = (token: string) => Promise<(Login & { issuedAt: number }) | null>
