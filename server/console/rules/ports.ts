import type { ReportType } from '#protocol/hub.ts'
import type { Rule, Verdict } from '#protocol/moderation.ts'
import type { CurtainSeen } from '#protocol/reports.ts'
import type { CaseOutcome, Finding, ReportFacts } from '../../moderation/rules/ports.ts'
import type { OpenCase } from './case-queue.ts'
import type { DecisionFact } from './statistics.ts'

/** Records and cryptography that the console needs. Times are milliseconds since 1970. */

export type ModeratorAccount = {
  id: string
  name: string
  /** A salted hash. */
  password: string
  /** Encrypted; see ModeratorTools.makeTotp. */
  totpSecret: string
  /** Time step of the last used code. Codes of this step and of earlier steps are refused. */
  totpStep: number
  createdAt: number
  disabledAt: number | null
}

export type ModeratorLoginSession = { id: string; moderatorId: string; createdAt: number; seenAt: number }

type Credentials = Pick<ModeratorAccount, 'password' | 'totpSecret' | 'totpStep'>

export interface Moderators {
  /** Resolves with false, and adds nothing, when the name is taken. */
  add(account: ModeratorAccount): Promise<boolean>
  findByName(name: string): Promise<ModeratorAccount | null>
  all(): Promise<ModeratorAccount[]>
  /** Disables the account and ends its login sessions. Resolves with false when there is no such account. */
  disable(name: string, at: number): Promise<boolean>
  /** Sets new credentials, enables the account and ends its login sessions. Resolves with false when there is no such account. */
  reset(name: string, credentials: Credentials): Promise<boolean>
  /** Marks this step and all earlier ones as used. Resolves with true for exactly one of several concurrent callers. */
  consumeTotpStep(id: string, step: number): Promise<boolean>
  /**
   * Adds the login session. Resolves with false, and adds none, when the account's hash is no longer `password` or the account is disabled.
   * `rehashed` replaces a hash of outdated cost.
   */
  openLoginSession(
    session: ModeratorLoginSession & { digest: string },
    password: string,
    rehashed?: string | null,
  ): Promise<boolean>
  /** Resolves with the login session and its moderator's name; null also for a disabled account. */
  findLoginSession(digest: string): Promise<(ModeratorLoginSession & { name: string }) | null>
  touchLoginSession(id: string, at: number): Promise<void>
  closeLoginSession(id: string): Promise<void>
}

/** One entry of the audit log: what a moderator did or looked at. The fields are named as the columns of the table. */
export type AuditEntry = {
  at: number
  moderator: string | null
  session: string | null
  action: string
  whom: string | null
  what: string
}

/** The moderator that sent a request, and the login session. `until` is when the session ends. */
export type ConsoleCaller = { moderatorId: string; name: string; loginSessionId: string; until: number }

/** Adds to the audit what a moderator does. `whom` is the id of the affected account. */
export type RecordAction = (
  caller: Pick<ConsoleCaller, 'name' | 'loginSessionId'>,
  action: string,
  what: string,
  whom?: string | null,
) => Promise<void>

/** Entries are added and never changed; only the end of their retention removes them. */
export interface Audit {
  add(entry: AuditEntry): Promise<void>
  latest(count: number): Promise<AuditEntry[]>
}

export interface ModeratorTools {
  makePassword(): string
  hashPassword(password: string): Promise<string>
  /** True for a hash whose cost is less than the present cost. */
  isOutdated(hash: string): boolean
  /** Returns false for null. Null and an outdated hash take as long as any hash, since the time must not reveal which names exist. */
  checkPassword(password: string, hash: string | null): Promise<boolean>
  /** Makes a secret for an authenticator: encrypted for the database, and not encrypted, with its `otpauth:` address, to be shown once. */
  makeTotp(name: string): { sealed: string; secret: string; uri: string }
  /** Returns the time step of `code`, if it is the present step, the step before or the step after; null for any other code. */
  stepOf(sealed: string, code: string, at: number): number | null
  makeToken(): string
  digest(token: string): string
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

/** A report as the console shows it. `session` is the id of the match. */
export type CaseReport = ReportFacts & {
  session: string
  type: ReportType
  outcome: CaseOutcome | null
  upheld: number
  note: string | null
  curtain: CurtainSeen | null
  /** When a moderator must have decided; null for a report without a deadline of its own. */
  dueAt: number | null
}
type CaseFinding = Finding & { outcome: CaseOutcome | null }

type RecordedDecision = DecisionFact & { moderator: string; verdict: Verdict; rule: Rule }

/** The beginning of a nickname or of an account id, or a whole email address. */
export type Search = { nickName: string } | { idStart: string } | { email: string }

/** Records of the moderators' desk. A read takes the same number of statements for any number of cases. */
export interface Desk {
  openCases(): Promise<OpenCase[]>
  /** Cases of these users, whether or not anything is open about them. */
  casesOf(ids: readonly string[]): Promise<OpenCase[]>
  search(by: Search, limit: number): Promise<string[]>
  /** Resolves with null when there is no such account. `decided` is the number of decisions so far. */
  findAccount(id: string): Promise<{ createdAt: number; decided: number } | null>
  /** Resolves with at most `limit` reports about the account, newest first. */
  reports(accountId: string, limit: number): Promise<CaseReport[]>
  findings(accountId: string, limit: number): Promise<CaseFinding[]>
  /** Counts the next decision of a case. Resolves with true for exactly one of several concurrent callers. */
  claim(accountId: string, decided: number): Promise<boolean>
  record(decision: RecordedDecision): Promise<void>
  decisions(since: number): Promise<DecisionFact[]>
}
