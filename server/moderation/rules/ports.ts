import type { BlockStatus } from '#protocol/block-status.ts'
import type { Provider } from '#protocol/fields.ts'
import type { ReportType } from '#protocol/hub.ts'
import type { CaseNotice, Cause, ReviewOutcome, Rule, Verdict } from '#protocol/moderation.ts'
import type { ReportDetails, ReportReason } from '#protocol/reports.ts'
import type { Account } from '../../accounts/rules/ports.ts'

/** The records that moderation needs. Times are milliseconds since 1970, ids opaque texts. */

/** `ban` is an earlier block of the person, `earlier-case` an open case of the person's deleted account, `time` the end of a status. */
export type ActorKind = 'policy' | 'classifier' | 'user' | 'moderator' | 'age' | 'ban' | 'earlier-case' | 'time'
/** `id` is an account or a moderator; null for the other kinds. */
type Actor = { kind: ActorKind; id: string | null }

/** One change of status, as it is recorded permanently. `until` is null for a status that does not end by itself. */
export type StatusChange = {
  accountId: string
  from: BlockStatus
  to: BlockStatus
  by: Actor
  what: Cause
  rule: Rule
  /** One plain sentence for readers of the history. It is part of the person's data export, so it names no other person. */
  reason: string
  at: number
  until: number | null
}

/** A moderator's judgement of the open reports and findings: `upheld` if they are correct. */
export type CaseOutcome = 'upheld' | 'dismissed'

/** The effects of a status change, carried out in its transaction. */
export type ChangeEffects = {
  /** Closes the open reports and findings about the person with this outcome. */
  closes: CaseOutcome | null
  /** The notice that the person sees at the next visit. */
  notice: ReviewOutcome | null
  /** Queues an email with the same outcome. */
  sendEmail: boolean
  /**
   * Keyed digest of the provider's subject. A block is stored under this digest and outlasts the account; a change out
   * of the block removes it.
   */
  person: string
  /** Keyed digest of the verified e-mail's mailbox: the person may come through another provider. */
  mailbox: string
  /** When the risk signals of a blocked person expire. */
  signalsUntil: number
}

/** Undecided reports and findings about one person, those of an earlier, deleted account included. */
type OpenCounts = { reports: number; findings: number }

export interface Cases {
  /** Changes the status with all effects. Resolves with false, and changes nothing, when the status is no longer `from`. */
  change(change: StatusChange, effects: ChangeEffects): Promise<boolean>
  close(accountId: string, outcome: CaseOutcome, at: number): Promise<void>
  /** Every change of one account, the newest first. */
  history(accountId: string): Promise<StatusChange[]>
  open(accountId: string): Promise<OpenCounts>
  due(now: number): Promise<string[]>
  notice(accountId: string): Promise<CaseNotice | null>
  seeNotice(accountId: string): Promise<void>
}

/** A frame that violates the guidelines according to the classifier. `score` is its certainty, from 0 to 1. */
export type Finding = { session: string; label: string; score: number; at: number }

export interface Findings {
  add(accountId: string, finding: Finding): Promise<void>
  /** Counts open findings since `since` with at least this score. */
  count(accountId: string, since: number, score: number): Promise<number>
}

export type ReportFacts = {
  reporter: string
  /** Null if the reporter gave none. The result of the reporter's safety check is not among the facts: it weighs nothing. */
  reason: ReportReason | null
  at: number
  /** How long the two users had been in a call; null if there was no call. */
  callMs: number | null
  /** Whether this side's browser confirmed that the picture of the other side arrived. */
  reporterSaw: boolean
  reportedSaw: boolean
  /** The reported person had reported the reporter before, and no moderator has dismissed that report. */
  retaliation: boolean
  /** The two users have reported each other, and only the reporter is restricted or was the subject of another person's upheld report. */
  outweighed: boolean
  /**
   * The reporter's upheld reports about people of other networks and batches, each divided by the number of all upheld
   * reports about that person. So an account that is made to be reported gives all its reporters together at most 1.
   */
  credit: number
  /** Number of dismissed reports by this reporter about any user, those of an earlier account included. */
  dismissed: number
  provider: Provider
  reporterSince: number
  /**
   * Number of people that the reporter had a kept call with, at the time of the report. People of the reporter's network, batch and closed
   * circle are not counted.
   */
  keptCalls: number
  /** Other reports by the reporter in the 24 hours before this one. */
  earlierToday: number
  /** The reporter's other reports of a possible minor: dismissed reports, and earlier reports without a decision. */
  minorsWrong: number
  minorsWaiting: number
  /** Reports of a possible minor by other settled reporters of the reporter's networks in the 24 hours before. */
  minorsOfNetwork: number
  /** Keyed digests of the reporter's last sign-in; null where unknown. */
  network: string | null
  device: string | null
}

/**
 * `mailbox` is null for a block that followed from the block of another account: stored with the mailbox, it would
 * block that account again after a restoration.
 */
export type Ban = { person: string; mailbox: string | null; rule: Rule; at: number }

/** What an account shares with a person who was blocked before the account was created. */
export type RiskMatch = { address: boolean; device: boolean }
type RiskSignals = { address: string | null; device: string | null }

/** What was open about an account when it was deleted, under a keyed digest of the provider's subject. */
export type KeptCase = OpenCounts & {
  person: string
  /** Valid if only reports or findings were open. */
  status: BlockStatus
  what: Cause
  rule: Rule
  until: number | null
  at: number
  expiresAt: number
}

export interface KeptCases {
  keep(kept: KeptCase): Promise<void>
  /** Resolves with the case that waits for this person's next account; null when it has expired or is attached already. */
  find(person: string, now: number): Promise<KeptCase | null>
  /** Attaches the case to the person's new account, where moderators find its open reports and findings until they decide. */
  attach(person: string, accountId: string): Promise<void>
  remove(person: string): Promise<void>
}

/** A keyed digest of the person behind an account. */
export type PersonOf = (account: Pick<Account, 'provider' | 'subject'>) => string

/** What is kept about a person after the account is deleted: undecided and dismissed reports as a reporter, and blocks. */
export interface KeptRecords {
  /** Keeps the records before the account is erased. Repeated calls do no harm. */
  keep(account: Pick<Account, 'id' | 'provider' | 'subject'>, personOf: PersonOf, now: number): Promise<void>
  /** Gives the kept records to the person's present account. A block applies again once both people have an account. */
  restore(person: string, accountId: string): Promise<void>
}

export type QueuedEmail = { id: string; accountId: string; outcome: ReviewOutcome; attempts: number }

/** The email outbox. Its rows survive a restart. */
export interface EmailOutbox<Email = QueuedEmail> {
  due(now: number): Promise<Email[]>
  /** Reserves the email for this server until `until`. Resolves with false when it is not due: another server has reserved it. */
  reserve(id: string, now: number, until: number): Promise<boolean>
  /** Removes an email that was sent or given up. */
  remove(id: string): Promise<void>
  /** Counts a failed attempt; the next one is due at `until`. */
  postpone(id: string, until: number): Promise<void>
}

/** Risk signals. All are keyed digests: no network address and no provider's subject is stored in the clear. */
export interface Risks {
  addSignals(accountId: string, signals: RiskSignals, at: number): Promise<void>
  /** Resolves with one entry for each blocked person who shares a signal with the account. */
  matches(accountId: string, now: number): Promise<RiskMatch[]>
  /** Resolves with the rule on which this person, or a person with this mailbox, was blocked; null if neither was blocked. */
  findBan(person: string, mailbox: string): Promise<Rule | null>
  addBan(ban: Ban): Promise<void>
  /** Deletes signals last seen before `seenBefore`, and expired signals of blocked people. */
  deleteExpired(now: number, seenBefore: number): Promise<void>
}

export type Decision = { moderator: string; verdict: Verdict; rule: Rule; reason: string }

/** `session` is the id of the match. */
export type Report = Pick<ReportFacts, 'reporter' | 'callMs' | 'reporterSaw' | 'reportedSaw' | 'at'> & {
  session: string
  reported: string
  type: ReportType
  details?: ReportDetails | undefined
}

/** What is known about a reporter before a report: the reporter's decided reports, and those of the last 24 hours. */
export type ReporterRecord = Pick<ReportFacts, 'credit' | 'dismissed' | 'earlierToday'>

/**
 * The facts that decide whether a report starts a clock. `clocks` are those that started in the last 24 hours: by the
 * reporter, and by others of the reporter's network.
 */
export type ClockRecord = ReporterRecord &
  Pick<ReportFacts, 'reporterSince' | 'keptCalls'> & { clocks: { own: number; network: number } }

export interface Reports {
  /**
   * Resolves with false for a second report by a user in a match. Confirmations in the match's record count too:
   * another server may have received them.
   */
  add(report: Report & { keptCalls: number; settled: boolean; dueAt: number | null }): Promise<boolean>
  recordOf(reporter: string, now: number): Promise<Omit<ClockRecord, 'keptCalls'>>
  open(reported: string, since: number): Promise<ReportFacts[]>
  subjects(since: number): Promise<string[]>
}
