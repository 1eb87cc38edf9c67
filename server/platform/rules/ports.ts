import type { BlockStatus, Gender, Provider } from '#protocol/fields.ts'
import type { ReportType, Role } from '#protocol/hub.ts'
import type { Language } from '#protocol/languages.ts'
import type { LogEntry } from '#protocol/log-entry.ts'
import type { CaseNotice, Cause, ReviewOutcome, Rule, Verdict } from '#protocol/moderation.ts'
import type { LoginSessions, RefreshTokens } from '../../accounts/rules/login-ports.ts'
import type { Audit, Desk, Moderators } from '../../console/rules/ports.ts'
import type { EvidenceRecords, Frames, Signals } from '../../frames/rules/ports.ts'
import type { Backlog } from '../../operations/rules/metrics.ts'
import type { Deletions, Expiry, LegalHolds, PersonalData } from '../../privacy/rules/ports.ts'

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
  /** In which the person read the pages when signing in or appealing, whichever was later. */
  language: Language
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
  setLanguage(id: string, language: Language): Promise<void>
  profile(id: string): Promise<Profile | null>
  /** The date of birth of an existing profile stays as it was. `picture` null keeps the one that is there. */
  saveProfile(id: string, profile: Profile, picture: Uint8Array | null): Promise<void>
}

/**
 * Who may move somebody from one status to another; `ban` is an earlier block of the same person, `earlier-case` a case that was
 * open when the same person deleted an account, `time` a date that has come.
 */
export type ActorKind = 'policy' | 'classifier' | 'user' | 'moderator' | 'age' | 'ban' | 'earlier-case' | 'time'
/** `id` is the account or the moderator; null for what is no person. */
export type Actor = { kind: ActorKind; id: string | null }

/** One step from status to status, as it is recorded for good. `until` null has no end of its own. */
export type StatusChange = {
  accountId: string
  from: BlockStatus
  to: BlockStatus
  by: Actor
  what: Cause
  rule: Rule
  /** One plain sentence for whoever reads the history. It is in the person's export, so it names nobody else. */
  reason: string
  at: number
  until: number | null
}

/** What a moderator says of the reports and findings that were open: they were right, or not. */
export type CaseOutcome = 'upheld' | 'dismissed'

/** What goes with a change, in its transaction. */
export type ChangeEffects = {
  /** Closes what is open about the person. */
  closes: CaseOutcome | null
  /** To be told to the person at the next visit. */
  tells: ReviewOutcome | null
  /** And by e-mail too. */
  mails: boolean
  /** By this keyed digest of the provider's subject a block is remembered beyond the account, and forgotten by a way out of it. */
  person: string
  /** When what a blocked person's traces say of others is forgotten. */
  signalsUntil: number
}

/** Undecided reports and findings about one person, with those of an earlier account that is deleted. */
type OpenCounts = { reports: number; findings: number }

/** What moderation has done, by person. */
export interface Cases {
  /**
   * Sets the status and its end, records the change and carries out its effects, all in one transaction. False when the status
   * is `from` no longer: nothing has changed.
   */
  change(change: StatusChange, effects: ChangeEffects): Promise<boolean>
  /** Closes what is open about somebody whose status stays as it is. */
  close(accountId: string, outcome: CaseOutcome, at: number): Promise<void>
  /** Every change of one person, the newest first. */
  history(accountId: string): Promise<StatusChange[]>
  open(accountId: string): Promise<OpenCounts>
  /** Whose status has an end that has come. */
  due(now: number): Promise<string[]>
  notice(accountId: string): Promise<CaseNotice | null>
  seeNotice(accountId: string): Promise<void>
}

/** A frame in which the classifier sees what the guidelines forbid. `score` is its certainty, from 0 to 1. */
export type Finding = { session: string; label: string; score: number; at: number }

export interface Findings {
  add(accountId: string, finding: Finding): Promise<void>
  /** Open findings that are at least this certain. */
  count(accountId: string, since: number, score: number): Promise<number>
}

/** What moderation knows of a report when it weighs it. */
export type ReportFacts = {
  reporter: string
  at: number
  /** How long the two had been in a call; null when there was none. */
  callMs: number | null
  /** Whether this side's browser confirmed that the picture of the other arrived. */
  reporterSaw: boolean
  reportedSaw: boolean
  /** The reported person had reported the reporter before, and no moderator has found that wrong. */
  retaliation: boolean
  /** Decided reports of this reporter about anybody. */
  upheld: number
  dismissed: number
  /** Of the reporter's account. */
  provider: Provider
  reporterSince: number
  /** Different people the reporter had a kept call with, as of the report. */
  keptCalls: number
  /** Other reports by the reporter in the 24 hours before this one. */
  earlierToday: number
  /** Keyed digests of where the reporter signed in last; null where unknown. */
  network: string | null
  device: string | null
}

/** Where one person's traces meet those of somebody who was blocked before the account was made. */
export type RiskMatch = { address: boolean; device: boolean }
type RiskSignals = { address: string | null; device: string | null }

/** What was open about an account when it was deleted, under a keyed digest of the provider's subject. */
export type KeptCase = OpenCounts & {
  person: string
  /** Valid where only reports or findings were open. */
  status: BlockStatus
  what: Cause
  rule: Rule
  until: number | null
  at: number
  expiresAt: number
}

export interface KeptCases {
  /** Replaces what is kept of this person. */
  keep(kept: KeptCase): Promise<void>
  /** What waits for this person to come back; null for what is over, or has been attached. */
  find(person: string, now: number): Promise<KeptCase | null>
  /** The person is back: moderators find the open reports and findings at the new account until they decide. */
  attach(person: string, accountId: string): Promise<void>
  forget(person: string): Promise<void>
}

/** A message that waits to be sent to somebody. */
export type QueuedEmail = { id: string; accountId: string; outcome: ReviewOutcome; attempts: number }

/** Letters that wait to be sent; they outlive a restart. */
export interface Outbox {
  due(now: number): Promise<QueuedEmail[]>
  /** It is ours to send until then. False when it is not due: another server has taken it. */
  take(id: string, now: number, until: number): Promise<boolean>
  /** It was sent, or never will be. */
  remove(id: string): Promise<void>
  putOff(id: string, until: number): Promise<void>
}

/** Sends one e-mail. Refused is one that will never be taken; rejects where another attempt may help. */
export interface Mail {
  send(letter: { id: string; to: string; subject: string; text: string }): Promise<'sent' | 'refused'>
}

/** Keyed digests alone: neither an address nor a provider's subject is ever stored for this. */
export interface Risks {
  note(accountId: string, signals: RiskSignals, at: number): Promise<void>
  /** One entry a blocked person with whom something is shared. */
  matches(accountId: string, now: number): Promise<RiskMatch[]>
  /** The rule on which this person was blocked, be the account still there or not; null for anybody else. */
  ban(person: string): Promise<Rule | null>
  /** Remembers a block that is not known yet. */
  remember(person: string, rule: Rule, at: number): Promise<void>
  /** Drops traces that were last seen before `seenBefore`, and those of blocked people whose time is over. */
  sweep(now: number, seenBefore: number): Promise<void>
}

/** What a moderator decided. */
export type Decision = { moderator: string; verdict: Verdict; rule: Rule; reason: string }

export interface Relations {
  /** Everybody this person may never meet: blocked by them or having blocked them. */
  blockedWith(accountId: string): Promise<string[]>
  metBy(accountId: string): Promise<string[]>
  recordMet(a: string, b: string, at: number): Promise<void>
  block(by: string, whom: string, at: number): Promise<void>
}

/** `callMs` is how long the two had been in a call; null when there was none. */
export type Report = {
  session: string
  reporter: string
  reported: string
  type: ReportType
  callMs: number | null
  /** Whether this side's browser confirmed that the picture of the other arrived. */
  reporterSaw: boolean
  reportedSaw: boolean
  at: number
}

export interface Reports {
  /**
   * False when this reporter has already reported in this session: nothing is added. What the record of the match knows of
   * confirmations counts too, for another server may have heard them.
   */
  add(report: Report & { keptCalls: number }): Promise<boolean>
  /** Returns the number of distinct partners in ended calls of the account that lasted at least `lastedMs` and were confirmed by both sides. */
  keptCalls(accountId: string, lastedMs: number): Promise<number>
  /** The open reports about somebody. */
  open(reported: string, since: number): Promise<ReportFacts[]>
  /** Who was reported since then. */
  subjects(since: number): Promise<string[]>
}

/** A match that is going on. The first of the pair is the Caller. */
export type MatchRecord = { id: string; caller: string; callee: string; startedAt: number; connected: boolean }

export interface MatchRecords {
  open(session: MatchRecord): Promise<void>
  /** The side of this role sees the other. The word of the Caller makes the match a connected one. */
  confirm(id: string, role: Role, at: number): Promise<void>
  close(id: string, at: number): Promise<void>
  all(): Promise<MatchRecord[]>
}

export interface Logs {
  /** False when a batch with this key of this session was added before. */
  add(entries: LogEntry[], key: string | null, at: number): Promise<boolean>
}

/** A call that a person may send again, under the key that the browser gave it. */
export type RepeatId = { account: string; call: string; key: string }

/** What such calls came to, for servers that share a database. */
export interface RepeatRecords {
  /** `ours` for the first, who carries it out until then; what it came to, or `taken` while somebody else is at it. */
  claim(
    id: RepeatId,
    by: { owner: string; now: number; until: number; freeRepeats: number },
  ): Promise<'ours' | 'taken' | { answer: string }>
  /** What the claim of this owner came to. */
  answer(id: RepeatId, owner: string, answer: string, until: number): Promise<void>
  /** The claim came to nothing: the call may be carried out again. */
  release(id: RepeatId, owner: string): Promise<void>
  takeFreeRepeat(id: RepeatId, now: number): Promise<boolean>
  /** Deletes what is over. */
  forget(now: number): Promise<void>
}

/** Secrets that nobody has configured, for servers that share a database. */
export interface SharedSecrets {
  /** The one that was kept first under this name. */
  keep(name: string, made: string): Promise<string>
}

export interface Backlogs {
  read(): Promise<Backlog>
}

export interface Store {
  accounts: Accounts
  loginSessions: LoginSessions
  refreshTokens: RefreshTokens
  relations: Relations
  reports: Reports
  cases: Cases
  findings: Findings
  risks: Risks
  keptCases: KeptCases
  outbox: Outbox
  matchRecords: MatchRecords
  logs: Logs
  frames: Frames
  moderators: Moderators
  audit: Audit
  desk: Desk
  evidence: EvidenceRecords
  signals: Signals
  backlog: Backlogs
  deletions: Deletions
  legalHolds: LegalHolds
  personalData: PersonalData
  expiry: Expiry
  repeats: RepeatRecords
  sharedSecrets: SharedSecrets
  /** Answers while the store can read and write. */
  ping(): Promise<void>
  /** Copies everything into a new file, while others wait; null where the database has tools for it. */
  copyTo: ((file: string) => Promise<void>) | null
  close(): Promise<void>
}

/** Who is online: anybody seen lately, over the API or the hub. */
export interface Presence {
  seen(accountId: string): void
  count(): number
}

/** The opaque name under which `viewer` knows `peer`; the same pair always gives the same one. */
export type AliasOf = (viewer: string, peer: string) => string

/** Takes a report: records it and the block. False for a second one in a session. */
export type TakeReport = (report: Report) => Promise<boolean>

/** Applies the policy to somebody about whom there is something new. */
export type Judge = (accountId: string) => Promise<void>

/** Takes a finding of the classifier and applies the policy. */
export type Flagged = (accountId: string, finding: Finding) => Promise<void>
