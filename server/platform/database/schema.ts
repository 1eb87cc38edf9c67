import type { Generated } from 'kysely'
import type { BlockStatus } from '#protocol/block-status.ts'
import type { ContentNoticeOutcome } from '#protocol/content-notices.ts'
import type { Gender, Provider } from '#protocol/fields.ts'
import type { ReportType } from '#protocol/hub.ts'
import type { Language } from '#protocol/languages.ts'
import type { Cause, ReviewOutcome, Rule, Verdict } from '#protocol/moderation.ts'
import type { ReportReason } from '#protocol/reports.ts'
import type { RefreshToken } from '../../accounts/rules/login-ports.ts'
import type { PictureCheck } from '../../accounts/rules/profile-ports.ts'
import type { AuditEntry, ModeratorAccount, ModeratorLoginSession } from '../../console/rules/ports.ts'
import type { SealedPreservation } from '../../console/rules/preservation-ports.ts'
import type { FrameRecord, FrameSignal } from '../../frames/rules/ports.ts'
import type { SealedEvidence } from '../../moderation/rules/evidence-ports.ts'
import type { ActorKind, Ban, CaseOutcome, KeptCase } from '../../moderation/rules/ports.ts'
import type { NewNotice } from '../../notices/rules/ports.ts'
import type { DeletionSource } from '../../privacy/rules/ports.ts'
import type { RefusedWord } from '../../words/rules/refused-phrases.ts'

type SignalKind = 'address' | 'device'

/** The tables, in camel case; in SQL they are snake case. Times are milliseconds since 1970. */
export type Tables = {
  accounts: {
    id: string
    provider: Provider
    subject: string
    email: string
    firstName: string
    lastName: string
    status: BlockStatus
    statusUntil: number | null
    createdAt: number
    loginsSince: Generated<number>
    /** The language of emails. */
    language: Generated<Language>
    /** When the person's data were erased; the row is kept for records of other accounts that are under a legal hold. */
    erasedAt: number | null
  }
  profiles: {
    accountId: string
    nickName: string
    gender: Gender
    dateOfBirth: string
    consentVersion: string
    consentAt: number
    picture: Uint8Array | null
    /** The picture as the peer of a match sees it; null until it is made. */
    thumbnail: Uint8Array | null
    pictureCheck: Generated<PictureCheck>
    /** 1 once the user has chosen or removed the picture. */
    pictureChosen: Generated<number>
    showsPicture: Generated<number>
  }
  preferences: {
    accountId: string
    kind: 'language' | 'interest'
    /** Position in the order in which the user chose the values, from 0. */
    position: number
    value: string
  }
  statusChanges: {
    id: Generated<number>
    accountId: string
    fromStatus: BlockStatus
    status: BlockStatus
    actorKind: ActorKind
    actorId: string | null
    what: Cause
    rule: Rule
    reason: string
    at: number
    until: number | null
  }
  userSessions: {
    id: string
    accountId: string | null
    /** The account that signed in last in this session, even if it has logged out since. */
    ownerId: string | null
    createdAt: number
    enteredAt: number | null
    /** The latest sign-in, visit or refresh. */
    attachedAt: number | null
    /** When the provider last confirmed the person; null also for a sign-in of an earlier version of the server. */
    signedInAt: number | null
    browser: string | null
    device: string | null
    os: string | null
    city: string | null
    country: string | null
  }
  ipDetails: { sessionId: string; city: string; country: string }
  refreshTokens: Omit<RefreshToken, 'isCrossed'> & { isCrossed: Generated<number> }
  /** One row for each pair of accounts, the smaller id first. */
  meetings: { first: string; second: string; at: number }
  blocks: { by: string; whom: string; at: number }
  reports: {
    session: string
    reporter: string
    reported: string
    type: ReportType
    callMs: number | null
    reporterSaw: number
    reportedSaw: number
    /** Of the reporter, at the time of the report: the number of kept calls, and whether the reporter was settled. */
    keptCalls: number
    settled: Generated<number>
    at: number
    outcome: CaseOutcome | null
    decidedAt: number | null
    reason: ReportReason | null
    /** Text of the reporter, shown to moderators only. */
    note: string | null
    /** JSON of what the reporter's safety check saw. */
    curtain: string | null
    /** When a moderator must have decided; null for a report without a deadline. */
    dueAt: number | null
  }
  findings: {
    id: Generated<number>
    accountId: string
    session: string
    label: string
    score: number
    at: number
    outcome: CaseOutcome | null
    decidedAt: number | null
  }
  caseNotices: { accountId: string; outcome: ReviewOutcome; at: number }
  outbox: {
    id: string
    accountId: string
    outcome: ReviewOutcome
    attempts: number
    createdAt: number
    nextAt: number
  }
  /** Blocked people, by a keyed digest; a row outlives the account. */
  bans: Ban
  bannedSignals: { person: string; kind: SignalKind; digest: string; at: number; expiresAt: number }
  /** Cases that were open when their account was deleted, by a keyed digest. `accountId` is the person's new account. */
  keptCases: KeptCase & { accountId: string | null }
  /**
   * Reports of deleted accounts, and dismissed reports about deleted accounts, by a keyed digest of their reporter. `accountId` is the
   * reporter's present account, `reported` is the reported account; null if the account does not exist.
   */
  keptReports: {
    session: string
    person: string
    accountId: string | null
    reported: string | null
    reason: ReportReason | null
    at: number
    outcome: CaseOutcome | null
    decidedAt: number | null
  }
  /** Blocks between two people after one of them has deleted the account, by keyed digests of both people. */
  keptBlocks: {
    byPerson: string
    whomPerson: string
    byAccount: string | null
    whomAccount: string | null
    at: number
    /** The time of the latest deletion of an account of the two people. */
    keptAt: number
  }
  riskSignals: { accountId: string; kind: SignalKind; digest: string; at: number }
  liveSessions: {
    id: string
    caller: string
    callee: string
    startedAt: number
    connected: number
    /** When each side confirmed that the peer's picture arrived. */
    callerSawAt: number | null
    calleeSawAt: number | null
    /** When the Callee's answer was relayed; written with the end. */
    answeredAt: number | null
    endedAt: number | null
  }
  logBatches: { session: string; key: string; at: number }
  logEntries: {
    id: Generated<number>
    session: string
    level: string
    message: string
    platform: string
    dateTime: string
    at: number
  }
  /** The words that moderators refuse; not personal data. */
  refusedWords: RefusedWord
  frames: FrameRecord & { id: Generated<number> }
  moderators: ModeratorAccount
  moderatorSessions: ModeratorLoginSession & { digest: string }
  caseVersions: { accountId: string; decided: number }
  moderationDecisions: {
    id: Generated<number>
    moderator: string
    verdict: Verdict
    rule: Rule
    upheld: number
    openedAt: number | null
    at: number
  }
  moderationAudit: AuditEntry & { id: Generated<number> }
  evidence: SealedEvidence
  /** Signals of the camera frames of stays on the dashboard. */
  frameSignals: Omit<FrameSignal, 'from'> & { id: Generated<number>; fromAt: number }
  contentNotices: Omit<NewNotice, 'isGoodFaith'> & {
    isGoodFaith: Generated<number>
    outcome: ContentNoticeOutcome | null
    answer: string | null
    answeredBy: string | null
    answeredAt: number | null
    emailNextAt: number | null
    emailAttempts: Generated<number>
    emailedAt: number | null
  }
  /** Copies of cases of apparent child abuse, which outlast the accounts. */
  preservations: SealedPreservation
  deletionRequests: {
    id: string
    accountId: string | null
    source: DeletionSource
    requestedAt: number
    startAt: number
    dueAt: number
    endedAt: number | null
    outcome: 'done' | 'cancelled' | null
  }
  deletionCodes: { digest: string; requestId: string; proof: string }
  legalHolds: { accountId: string; reason: string; setBy: string; at: number }
  /** Results of requests with an idempotency key. `call` is the endpoint; `answer` is null while the request is carried out. */
  repeats: {
    accountId: string
    call: string
    key: string
    owner: string
    answer: string | null
    freeRepeats: number
    expiresAt: number
  }
  sharedSecrets: { name: string; value: string }
  /** Published reports; months are yyyy-MM, `report` is JSON. */
  transparencyReports: { fromMonth: string; toMonth: string; report: string; publishedAt: number }
  /** The months of reports, also of withdrawn reports, and the period to which each month belongs. */
  transparencyMonths: { month: string; fromMonth: string; toMonth: string }
}
