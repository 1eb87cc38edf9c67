import * as v from 'valibot'
import { consoleNoticeEndpoints } from './console-notices.ts'
import { consolePreservationEndpoints } from './console-preservations.ts'
import { HOUR_MS, MINUTE_MS } from './durations.ts'
import { type Endpoint, get, type InputOf, post } from './endpoint.ts'
import { frameSignals, idSchema, isoDaySchema } from './fields.ts'
import { blockStatusSchema, causeSchema, ruleSchema, verdictSchema } from './moderation.ts'
import { recordsOf } from './parse.ts'
import { interestSchema } from './preferences.ts'
import { curtainSeenSchema, priorityReasonSchema, reportReasonSchema } from './reports.ts'

/** Endpoints of the moderators' console, in a table of their own, which no user's page loads. */

/** Longest life of a moderator's login session. */
export const CONSOLE_LOGIN_SESSION_MS = 12 * HOUR_MS
/** Time without a request after which a moderator's login session ends. */
export const CONSOLE_IDLE_MS = 30 * MINUTE_MS

/** As typed at the login; case-insensitive. */
export const moderatorNameSchema = v.pipe(
  v.string('A name is needed'),
  v.regex(
    /^[a-z][\w.-]{1,31}$/i,
    'A name is 2 to 32 letters, digits, dots, hyphens or underscores and begins with a letter',
  ),
  v.toLowerCase(),
)

const moderatorSchema = v.object({ name: v.string(), until: v.number() })
export type Moderator = v.InferOutput<typeof moderatorSchema>

/** Why a case is in the queue. */
export const caseKindSchema = v.picklist(['appeal', 'findings', 'reports', 'earlier-account', 'resemblance'])
export type CaseKind = v.InferOutput<typeof caseKindSchema>

const caseIdSchema = idSchema('A case id')

const time = v.number()

const caseSummarySchema = v.object({
  id: v.string(),
  /** Null if the user has no profile yet. */
  nickName: v.nullable(v.string()),
  status: blockStatusSchema,
  kinds: recordsOf(caseKindSchema),
  reports: v.number(),
  reporters: v.number(),
  findings: v.number(),
  weight: v.number(),
  /** When the oldest open item arrived, and when it must be decided; null if nothing is open. */
  openedAt: v.nullable(time),
  dueAt: v.nullable(time),
  /** The report that moderators must decide first; null if there is none. Cases with such a report are at the top of the queue. */
  priority: v.optional(
    v.nullable(
      v.object({
        reason: priorityReasonSchema,
        dueAt: time,
        /** The weight of the heaviest report with a deadline of its own. Servers of earlier versions send none. */
        weight: v.optional(v.number(), 0),
      }),
    ),
    null,
  ),
})
export type CaseSummary = v.InferOutput<typeof caseSummarySchema>

const outcome = v.nullable(v.picklist(['upheld', 'dismissed']))

const historyEntrySchema = v.object({
  from: blockStatusSchema,
  to: blockStatusSchema,
  /** The kind of actor; `moderator` has the name if it was a moderator. */
  by: v.string(),
  moderator: v.nullable(v.string()),
  what: causeSchema,
  rule: ruleSchema,
  reason: v.string(),
  at: time,
  until: v.nullable(time),
})

/**
 * Whether the reporter's picture and the reported user's own show one scene, by perceptual hash; `unknown` if a picture
 * or its hash is missing.
 */
const pictureAgreementSchema = v.picklist(['agree', 'disagree', 'unknown'])
export type PictureAgreement = v.InferOutput<typeof pictureAgreementSchema>

const caseReportSchema = v.object({
  session: v.string(),
  /** The alias that the console shows: the first letters of the reporter's case id. */
  reporter: v.string(),
  reporterCase: v.string(),
  type: v.string(),
  reason: v.optional(v.nullable(reportReasonSchema), null),
  /** The reporter's own words, in one line. */
  note: v.optional(v.nullable(v.string()), null),
  /** What the safety check of the reporter's device saw, if the reporter sent it. It does not change the report's weight. */
  curtain: v.optional(v.nullable(curtainSeenSchema), null),
  /** When a moderator must have decided; null for a report without a deadline of its own. */
  dueAt: v.optional(v.nullable(time), null),
  at: time,
  callMs: v.nullable(v.number()),
  weight: v.number(),
  /** How many of this reporter's earlier reports, about any user, moderators upheld and dismissed. */
  upheld: v.number(),
  dismissed: v.number(),
  /** True if the reported user had reported the reporter before. */
  retaliation: v.boolean(),
  /**
   * True if the report does not count: the two users reported each other, and only the reporter is restricted or was
   * the subject of another person's upheld report.
   */
  outweighed: v.optional(v.boolean(), false),
  /** Whether each side's browser confirmed that the picture of the other side arrived. */
  reporterSaw: v.boolean(),
  reportedSaw: v.boolean(),
  /** Whether the reported user's browser sent its own camera picture for this report. */
  sentOwnCamera: v.boolean(),
  /** Servers of earlier versions send none. */
  agreement: v.optional(pictureAgreementSchema, 'unknown'),
  /** When the reporter's account was created, with how many different people it had kept calls, and its other reports of the last day. */
  reporterSince: time,
  keptCalls: v.number(),
  earlierToday: v.number(),
  /** Whether a suspension may be based on this report. */
  standing: v.boolean(),
  outcome,
})

const caseFindingSchema = v.object({ session: v.string(), label: v.string(), score: v.number(), at: time, outcome })

/**
 * Pictures as browsers sent them; a browser can send a forged picture. `reporters-view` is from the reporter's browser, `own-camera` from
 * the reported user's browser at the same time, `flagged` from the user's browser on the dashboard. `session` is the id of the match.
 */
const evidenceSchema = v.object({
  id: v.string(),
  kind: v.picklist(['flagged', 'reporters-view', 'own-camera']),
  session: v.nullable(v.string()),
  reporter: v.nullable(v.string()),
  at: time,
})
export type CaseEvidence = v.InferOutput<typeof evidenceSchema>

/** Statistics of the pictures sent during one stay on the dashboard. */
const livenessSchema = v.object({ from: time, at: time, ...frameSignals })

const riskSchema = v.object({ address: v.boolean(), device: v.boolean() })

const caseSchema = v.object({
  ...caseSummarySchema.entries,
  until: v.nullable(time),
  /** Sent back with a decision, which is refused if the case has changed since the moderator read it. */
  version: v.string(),
  verdicts: recordsOf(verdictSchema),
  createdAt: time,
  /** yyyy-MM-dd; null if the user has no profile yet. */
  dateOfBirth: v.nullable(v.string()),
  /** True if a corrected date of birth ends the block. Servers of earlier versions do not send this field. */
  isBlockedForBirth: v.optional(v.boolean(), false),
  /** What was open about a deleted earlier account of the same person; null if nothing was. */
  earlier: v.nullable(v.object({ reports: v.number(), findings: v.number(), at: time })),
  history: recordsOf(historyEntrySchema),
  openReports: recordsOf(caseReportSchema),
  closedReports: recordsOf(caseReportSchema),
  foundFrames: recordsOf(caseFindingSchema),
  evidence: recordsOf(evidenceSchema),
  liveness: recordsOf(livenessSchema),
  risk: v.object({ score: v.number(), matches: recordsOf(riskSchema) }),
})
export type Case = v.InferOutput<typeof caseSchema>

const statisticsSchema = v.object({
  open: v.number(),
  appeals: v.number(),
  overdue: v.number(),
  oldestAt: v.nullable(time),
  /** Decisions of each of the last days, oldest first; `day` is yyyy-MM-dd in UTC. */
  days: recordsOf(v.object({ day: v.string(), decided: v.number(), upheld: v.number() })),
  decided: v.number(),
  upheld: v.number(),
  medianMs: v.nullable(v.number()),
})
export type Statistics = v.InferOutput<typeof statisticsSchema>

/** Most words that moderators refuse. Each is compared with every nickname and interest that is checked. */
export const REFUSED_WORDS_MAX = 1_000

const wordsSchema = v.object({
  /** Interests that are offered to everybody now, most used first. */
  suggested: recordsOf(v.string()),
  refused: recordsOf(v.object({ word: v.string(), moderator: v.string(), at: v.number() })),
})
export type ConsoleWords = v.InferOutput<typeof wordsSchema>

const wordInputSchema = v.object({ word: interestSchema })

export const NOTE_MAX = 500

export const consoleEndpoints = {
  login: post('moderation/login', {
    login: false,
    json: v.object({
      name: v.pipe(v.string(), v.maxLength(64)),
      password: v.pipe(v.string(), v.maxLength(256)),
      code: v.pipe(v.string(), v.maxLength(16)),
    }),
    /** `until` is when the login session ends at the latest, in milliseconds since 1970. */
    response: moderatorSchema,
  }),
  logout: post('moderation/logout', { again: 'repeatable' }),
  whoAmI: get('moderation/me', { response: moderatorSchema }),
  readQueue: get('moderation/queue', {
    query: v.object({ kind: v.optional(caseKindSchema), after: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
    /** `next` is the page cursor: sent as `after` it requests the next page; null on the last page. */
    response: v.object({ cases: recordsOf(caseSummarySchema), open: v.number(), next: v.nullable(v.string()) }),
  }),
  readCase: get('moderation/case', { query: v.object({ id: caseIdSchema }), response: caseSchema }),
  /** A POST because opening evidence is recorded in the audit. */
  openEvidence: post('moderation/evidence', {
    json: v.object({ caseId: caseIdSchema, id: caseIdSchema }),
    /** A JPEG in base64; null if the signature of the picture or of its facts does not match. */
    response: v.object({ jpeg: v.nullable(v.string()) }),
  }),
  decide: post('moderation/decide', {
    json: v.object({
      id: caseIdSchema,
      version: v.pipe(v.string(), v.maxLength(64)),
      verdict: verdictSchema,
      rule: ruleSchema,
      note: v.pipe(v.string(), v.trim(), v.nonEmpty('A note is needed'), v.maxLength(NOTE_MAX)),
    }),
    response: v.object({ status: blockStatusSchema }),
  }),
  /** Corrects a date of birth that the user cannot change. If the new date is that of a minor, the user is blocked. */
  correctBirth: post('moderation/birth', {
    json: v.object({ id: caseIdSchema, dateOfBirth: isoDaySchema }),
    response: v.object({ status: blockStatusSchema }),
    again: 'repeatable',
  }),
  /** A POST so that the search text is not part of a URL. */
  search: post('moderation/search', {
    /** The beginning of a nickname or case id, or a complete email address. */
    json: v.object({ text: v.pipe(v.string(), v.trim(), v.minLength(2, 'Two letters at least'), v.maxLength(254)) }),
    response: v.object({ cases: recordsOf(caseSummarySchema) }),
    again: 'repeatable',
  }),
  readStatistics: get('moderation/figures', { response: statisticsSchema }),
  ...consoleNoticeEndpoints,
  readWords: get('moderation/words', { response: wordsSchema }),
  /**
   * Refuses a word, or words that follow each other, in nicknames, interests and suggestions. Rejected with
   * `wrong-state` once `REFUSED_WORDS_MAX` words are refused.
   */
  refuseWord: post('moderation/words/refuse', { json: wordInputSchema, response: wordsSchema, again: 'repeatable' }),
  allowWord: post('moderation/words/allow', { json: wordInputSchema, response: wordsSchema, again: 'repeatable' }),
  ...consolePreservationEndpoints,
} satisfies Record<string, Endpoint>

export type ConsoleEndpoints = typeof consoleEndpoints
export type ConsoleEndpointName = keyof ConsoleEndpoints
export type ConsoleInput<N extends ConsoleEndpointName> = InputOf<ConsoleEndpoints[N]>
export type ConsoleEndpointOutput<N extends ConsoleEndpointName> = v.InferOutput<ConsoleEndpoints[N]['response']>
