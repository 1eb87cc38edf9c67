import type { BlockStatus, Gender, Provider } from '#protocol/fields.ts'
import type { ReportType } from '#protocol/hub.ts'
import type { LogEntry, SessionEntry } from '#protocol/rest.ts'
import type { Deletions, Expiry, LegalHolds, PersonalData } from './privacy-ports.ts'

/** What routes and the hub ask of the records. Times are milliseconds since 1970, ids opaque texts. */

export interface Clock {
  now(): number
  /** Runs `task` once after `ms`; the answer cancels it. */
  after(ms: number, task: () => void): () => void
}

/** A provider's word on who somebody is, after the server has checked it. */
export type VerifiedIdentity = {
  provider: Provider
  subject: string
  email: string
  firstName: string
  lastName: string
}

export type Account = VerifiedIdentity & {
  id: string
  status: BlockStatus
  /** Logins that were made before this moment are over. */
  loginsSince: number
}

export type Profile = {
  nickName: string
  gender: Gender
  /** yyyy-MM-dd */
  dateOfBirth: string
  consentVersion: string
  consentAt: number
}

export interface Accounts {
  /** The account of this provider and subject, made on a first sign-in. */
  signIn(identity: VerifiedIdentity, at: number): Promise<Account>
  find(id: string): Promise<Account | null>
  setNames(id: string, firstName: string, lastName: string): Promise<void>
  profile(id: string): Promise<Profile | null>
  /** The date of birth of an existing profile stays as it was. `picture` null keeps the one that is there. */
  saveProfile(id: string, profile: Profile, picture: Uint8Array | null): Promise<void>
  /** Changes the status and records who did it, why and when, in one step. */
  setStatus(id: string, status: BlockStatus, by: string, why: string, at: number): Promise<void>
}

export type UserSession = { id: string; accountId: string | null; entered: boolean }

export interface Sessions {
  create(id: string, at: number): Promise<void>
  find(id: string): Promise<UserSession | null>
  enter(entry: SessionEntry, at: number): Promise<void>
  /** Binds the session to the account that signed in with it. */
  attach(id: string, accountId: string, at: number): Promise<void>
  addIp(
    id: string,
    details: { ip: string; hostname: string; city: string; country: string; loc: string },
  ): Promise<void>
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
  /** Marks `digest` used and adds `next`; false when somebody else was first. One transaction. */
  rotate(digest: string, successor: string, next: RefreshToken, at: number): Promise<boolean>
  revokeFamily(family: string): Promise<void>
}

export interface Relations {
  /** Everybody this person may never meet: blocked by them or having blocked them. */
  blockedWith(accountId: string): Promise<string[]>
  metBy(accountId: string): Promise<string[]>
  recordMet(a: string, b: string, at: number): Promise<void>
  block(by: string, whom: string, at: number): Promise<void>
}

export type Report = { session: string; reporter: string; reported: string; type: ReportType; at: number }

export interface Reports {
  /** False when this reporter has already reported in this session: nothing is added. */
  add(report: Report): Promise<boolean>
  distinctReporters(reported: string, since: number): Promise<number>
}

/** A match that is going on. The first of the pair is the Caller. */
export type LiveSession = { id: string; caller: string; callee: string; startedAt: number; connected: boolean }

export interface LiveSessions {
  open(session: LiveSession): Promise<void>
  markConnected(id: string): Promise<void>
  close(id: string, at: number): Promise<void>
  all(): Promise<LiveSession[]>
}

export interface Logs {
  /** False when a batch with this key of this session was added before. */
  add(entries: LogEntry[], key: string | null, at: number): Promise<boolean>
}

export type FrameRecord = {
  accountId: string
  sessionId: string
  kind: 'dashboard' | 'reported'
  /** Size of the re-encoded JPEG. */
  bytes: number
  width: number
  height: number
  at: number
}

/** A camera's picture as it goes on: a JPEG that holds nothing but what can be seen. */
export type CleanFrame = { jpeg: Uint8Array; width: number; height: number }

export interface Frames {
  record(frame: FrameRecord): Promise<void>
}

export interface Store {
  accounts: Accounts
  sessions: Sessions
  refreshTokens: RefreshTokens
  relations: Relations
  reports: Reports
  liveSessions: LiveSessions
  logs: Logs
  frames: Frames
  deletions: Deletions
  legalHolds: LegalHolds
  personalData: PersonalData
  expiry: Expiry
  /** Answers while the store can read and write. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Who is online: anybody seen lately, over the API or the hub. */
export interface Presence {
  seen(accountId: string): void
  count(): number
}

/** The opaque name under which `viewer` knows `peer`; the same pair always gives the same one. */
export type AliasOf = (viewer: string, peer: string) => string

/** Takes a report: records it and the block, applies the policy to the reported person. False for a second one in a session. */
export type TakeReport = (report: Report) => Promise<boolean>

/** Whom a hub token was made for; null when it is no good. */
export type ReadHubToken = (token: string) => Promise<{ accountId: string; sessionId: string; issuedAt: number } | null>
