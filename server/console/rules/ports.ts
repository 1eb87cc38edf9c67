import type { ReportType } from '#protocol/hub.ts'
import type { Rule, Verdict } from '#protocol/moderation.ts'
import type { CaseOutcome, Finding, ReportFacts } from '../../moderation/rules/ports.ts'
import type { OpenCase } from './case-queue.ts'
import type { DecisionFact } from './statistics.ts'

/** What the moderators' console asks of the records and of cryptography. Times are milliseconds since 1970. */

export type ModeratorAccount = {
  id: string
  name: string
  /** A salted hash. */
  password: string
  /** Sealed; see ModeratorTools. */
  totpSecret: string
  /** The time step of the last code that was taken; neither it nor an earlier one is taken again. */
  totpStep: number
  createdAt: number
  disabledAt: number | null
}

export type ModeratorSession = { id: string; moderatorId: string; createdAt: number; seenAt: number }

type Credentials = Pick<ModeratorAccount, 'password' | 'totpSecret' | 'totpStep'>

export interface Moderators {
  /** False where the name is taken. */
  add(account: ModeratorAccount): Promise<boolean>
  byName(name: string): Promise<ModeratorAccount | null>
  all(): Promise<ModeratorAccount[]>
  /** Disables the account and ends its sessions; false where there is none. */
  disable(name: string, at: number): Promise<boolean>
  /** New credentials, enabled, and without sessions; false where there is no such account. */
  reset(name: string, credentials: Credentials): Promise<boolean>
  /** True for one caller alone: marks this step and all before it as used. */
  takeStep(id: string, step: number): Promise<boolean>
  /**
   * Forgets the sessions whose time is over. False, and no session, where the account has another password (as it is kept) by now or
   * is disabled. `rehashed` replaces the hash by one of today's cost.
   */
  openSession(
    session: ModeratorSession & { digest: string },
    password: string,
    rehashed?: string | null,
  ): Promise<boolean>
  /** The session and whose it is; null also where the account is disabled. */
  session(digest: string): Promise<(ModeratorSession & { name: string }) | null>
  sawSession(id: string, at: number): Promise<void>
  closeSession(id: string): Promise<void>
}

/** One thing that a moderator did or looked at. `whom` is the account that it is about, `session` the login it was done from. */
export type AuditLine = {
  at: number
  moderator: string | null
  session: string | null
  action: string
  whom: string | null
  what: string
}

/** Lines are added; nothing changes one, and only its age removes it. */
export interface Audit {
  add(line: AuditLine): Promise<void>
  /** The newest first. */
  latest(count: number): Promise<AuditLine[]>
}

export interface ModeratorTools {
  makePassword(): string
  hashPassword(password: string): Promise<string>
  /** True for a hash of less than today's cost. */
  isOutdated(hash: string): boolean
  /** As slow for `hash` null and for an outdated one, which no password fits: an unknown name must not be told by the time of the answer. */
  checkPassword(password: string, hash: string | null): Promise<boolean>
  /** A new secret for an authenticator, as the sealed text that is kept and the address that is shown once. */
  makeTotp(name: string): { sealed: string; secret: string; uri: string }
  /** The time step that `code` belongs to, one to either side of now at most; null where it is none of them. */
  stepOf(sealed: string, code: string, at: number): number | null
  makeToken(): string
  digest(token: string): string
  /** A signature that only this server can make. */
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** A report as a case shows it. */
export type CaseReport = ReportFacts & { session: string; type: ReportType; outcome: CaseOutcome | null }
type CaseFinding = Finding & { outcome: CaseOutcome | null }

type RecordedDecision = DecisionFact & { moderator: string; verdict: Verdict; rule: Rule }

/** By the beginning of a nickname or of an id, or by a whole e-mail address. */
export type Search = { nickName: string } | { idStart: string } | { email: string }

/** What moderators look at. Each read takes the same number of statements however many cases there are. */
export interface Desk {
  /** Everybody about whom something is open. */
  open(): Promise<OpenCase[]>
  /** These people, be anything open about them or not. */
  these(ids: readonly string[]): Promise<OpenCase[]>
  /** At most `limit` people. */
  search(by: Search, limit: number): Promise<string[]>
  /** Null where there is no such account. `decided` counts how often the case was decided. */
  account(id: string): Promise<{ createdAt: number; decided: number } | null>
  /** At most `limit` reports about somebody, the newest first. */
  reports(accountId: string, limit: number): Promise<CaseReport[]>
  findings(accountId: string, limit: number): Promise<CaseFinding[]>
  /** True for one caller alone: counts a decision of a case that was decided `decided` times before. */
  claim(accountId: string, decided: number): Promise<boolean>
  record(decision: RecordedDecision): Promise<void>
  decisions(since: number): Promise<DecisionFact[]>
}
