import * as v from 'valibot'
import { HOUR_MS, MINUTE_MS } from './durations.ts'
import { type Endpoint, type InputOf, validSchema } from './endpoint.ts'
import { blockStatusSchema } from './fields.ts'
import { causeSchema, ruleSchema, verdictSchema } from './moderation.ts'
import { recordsOf } from './parse.ts'

/** What the moderators' console and the server say to each other: a table of its own, which no user's page loads. */

/** Of both ends of a login: 12 hours at most, 30 minutes without a word. */
export const CONSOLE_SESSION_MS = 12 * HOUR_MS
export const CONSOLE_IDLE_MS = 30 * MINUTE_MS

/** As it is typed at the login; case does not count. */
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

/** Why somebody is in the queue. */
export const caseKindSchema = v.picklist(['appeal', 'findings', 'reports', 'earlier-account'])
export type CaseKind = v.InferOutput<typeof caseKindSchema>

const caseIdSchema = v.pipe(v.string('A case id is needed'), v.regex(/^[\w-]{1,64}$/, 'A case id is needed'))

const time = v.number()

const caseSummarySchema = v.object({
  id: v.string(),
  /** Null before there is a profile. */
  nickName: v.nullable(v.string()),
  status: blockStatusSchema,
  kinds: recordsOf(caseKindSchema),
  reports: v.number(),
  reporters: v.number(),
  findings: v.number(),
  weight: v.number(),
  /** Since when something waits for an answer, and by when it must have one; null where nothing is open. */
  openedAt: v.nullable(time),
  dueAt: v.nullable(time),
})
export type CaseSummary = v.InferOutput<typeof caseSummarySchema>

const outcome = v.nullable(v.picklist(['upheld', 'dismissed']))

const historyEntrySchema = v.object({
  from: blockStatusSchema,
  to: blockStatusSchema,
  /** What kind of actor, and of a moderator the name. */
  by: v.string(),
  moderator: v.nullable(v.string()),
  what: causeSchema,
  rule: ruleSchema,
  reason: v.string(),
  at: time,
  until: v.nullable(time),
})

const caseReportSchema = v.object({
  session: v.string(),
  /** Whoever reported, under the first letters of their own case id. */
  reporter: v.string(),
  reporterCase: v.string(),
  type: v.string(),
  at: time,
  callMs: v.nullable(v.number()),
  weight: v.number(),
  /** Reports of this reporter about anybody that moderators found right, and wrong. */
  upheld: v.number(),
  dismissed: v.number(),
  /** An answer to a report by the other one. */
  retaliation: v.boolean(),
  /** Whether the browser of each side confirmed that the picture of the other arrived. */
  reporterSaw: v.boolean(),
  reportedSaw: v.boolean(),
  /** Whether the browser of the reported person sent its own camera picture for this report. */
  sentOwnCamera: v.boolean(),
  /** Of the reporter: since when the account exists, different people it had a kept call with, other reports of the day before. */
  reporterSince: time,
  keptCalls: v.number(),
  earlierToday: v.number(),
  /** Whether a suspension may rest on this report. */
  standing: v.boolean(),
  outcome,
})

const caseFindingSchema = v.object({ session: v.string(), label: v.string(), score: v.number(), at: time, outcome })

/**
 * Pictures that browsers sent, which could have sent anything: `reporters-view` that of the reporter, `own-camera` that of the reported
 * person at the same time, `flagged` that of the person on the dashboard. `session` is the match that was on.
 */
const evidenceSchema = v.object({
  id: v.string(),
  kind: v.picklist(['flagged', 'reporters-view', 'own-camera']),
  session: v.nullable(v.string()),
  reporter: v.nullable(v.string()),
  at: time,
})
export type CaseEvidence = v.InferOutput<typeof evidenceSchema>

/** How the pictures of one stay on the dashboard came. */
const livenessSchema = v.object({
  from: time,
  at: time,
  expected: v.number(),
  came: v.number(),
  black: v.number(),
  longestGapMs: v.number(),
  sameFrameRepeated: v.number(),
  suspicious: v.number(),
})

const riskSchema = v.object({ address: v.boolean(), device: v.boolean() })

const caseSchema = v.object({
  ...caseSummarySchema.entries,
  until: v.nullable(time),
  /** Goes back with a decision, so that nobody decides about what they have not seen. */
  version: v.string(),
  verdicts: recordsOf(verdictSchema),
  createdAt: time,
  /** What was open about an earlier account of this person that was deleted; null where there is nothing. */
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
  /** Of the last days, the oldest first; `day` as yyyy-MM-dd of UTC. */
  days: recordsOf(v.object({ day: v.string(), decided: v.number(), upheld: v.number() })),
  decided: v.number(),
  upheld: v.number(),
  medianMs: v.nullable(v.number()),
})
export type Statistics = v.InferOutput<typeof statisticsSchema>

export const NOTE_MAX = 500

export const consoleEndpoints = {
  login: {
    method: 'POST',
    path: 'moderation/login',
    login: false,
    json: v.object({
      name: v.pipe(v.string(), v.maxLength(64)),
      password: v.pipe(v.string(), v.maxLength(256)),
      code: v.pipe(v.string(), v.maxLength(16)),
    }),
    /** `until` is when the login ends whatever is done, in milliseconds since 1970. */
    response: moderatorSchema,
  },
  logout: { method: 'POST', path: 'moderation/logout', login: true, response: validSchema, again: 'repeatable' },
  whoAmI: { method: 'GET', path: 'moderation/me', login: true, response: moderatorSchema },
  readQueue: {
    method: 'GET',
    path: 'moderation/queue',
    login: true,
    query: v.object({ kind: v.optional(caseKindSchema), after: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
    /** `next` goes back as `after` for the page behind this one; null at the end. */
    response: v.object({ cases: recordsOf(caseSummarySchema), open: v.number(), next: v.nullable(v.string()) }),
  },
  readCase: {
    method: 'GET',
    path: 'moderation/case',
    login: true,
    query: v.object({ id: caseIdSchema }),
    response: caseSchema,
  },
  /** A POST, for to look is an act that is recorded. */
  openEvidence: {
    method: 'POST',
    path: 'moderation/evidence',
    login: true,
    json: v.object({ caseId: caseIdSchema, id: caseIdSchema }),
    /** A JPEG in base64; null where picture or facts are not as the server signed them. */
    response: v.object({ jpeg: v.nullable(v.string()) }),
  },
  decide: {
    method: 'POST',
    path: 'moderation/decide',
    login: true,
    json: v.object({
      id: caseIdSchema,
      version: v.pipe(v.string(), v.maxLength(64)),
      verdict: verdictSchema,
      rule: ruleSchema,
      note: v.pipe(v.string(), v.trim(), v.nonEmpty('A note is needed'), v.maxLength(NOTE_MAX)),
    }),
    response: v.object({ status: blockStatusSchema }),
  },
  /** A POST, so that no address of a request names a person. */
  search: {
    method: 'POST',
    path: 'moderation/search',
    login: true,
    /** The beginning of a nickname or of a case id, or a whole e-mail address. */
    json: v.object({ text: v.pipe(v.string(), v.trim(), v.minLength(2, 'Two letters at least'), v.maxLength(254)) }),
    response: v.object({ cases: recordsOf(caseSummarySchema) }),
    again: 'repeatable',
  },
  readStatistics: { method: 'GET', path: 'moderation/figures', login: true, response: statisticsSchema },
} as const satisfies Record<string, Endpoint>

export type ConsoleEndpoints = typeof consoleEndpoints
export type ConsoleEndpointName = keyof ConsoleEndpoints
export type ConsoleInput<N extends ConsoleEndpointName> = InputOf<ConsoleEndpoints[N]>
export type ConsoleEndpointOutput<N extends ConsoleEndpointName> = v.InferOutput<ConsoleEndpoints[N]['response']>
