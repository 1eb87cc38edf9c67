import * as v from 'valibot'
import { deletionStateSchema } from './deletion.ts'
import { frameSignals, genderSchema, isoDaySchema, languageSchema, providerSchema } from './fields.ts'
import { reportedFields } from './logins.ts'
import { blockStatusSchema, causeSchema, reviewOutcomeSchema, ruleSchema } from './moderation.ts'
import { recordsOf } from './parse.ts'
import { storedPreferencesSchema } from './preferences.ts'
import { curtainSeenSchema, reportReasonSchema } from './reports.ts'

/** Schemas of a user's own data. Moments are ISO 8601; other people have opaque names. */

const moment = v.string()
/** A moderator's decision; null while there is none. */
const decided = { outcome: v.nullable(v.picklist(['upheld', 'dismissed'])), decidedAt: v.nullable(moment) }

/** Everything that is stored about one person, and nothing about others. */
export const myDataSchema = v.object({
  madeAt: moment,
  account: v.object({
    provider: providerSchema,
    subject: v.string(),
    email: v.string(),
    firstName: v.string(),
    lastName: v.string(),
    /** The language of emails to the user. */
    language: languageSchema,
    status: blockStatusSchema,
    statusUntil: v.nullable(moment),
    createdAt: moment,
  }),
  profile: v.nullable(
    v.object({
      nickName: v.string(),
      gender: genderSchema,
      dateOfBirth: isoDaySchema,
      picture: v.nullable(v.object({ type: v.string(), base64: v.string() })),
      /** Whether the people that the user meets see the picture. */
      showsPicture: v.boolean(),
      languages: v.optional(storedPreferencesSchema.entries.languages),
      interests: v.optional(storedPreferencesSchema.entries.interests),
    }),
  ),
  consents: recordsOf(v.object({ version: v.string(), at: moment })),
  sessions: recordsOf(
    v.object({
      createdAt: moment,
      signedInAt: v.nullable(moment),
      seenAt: v.nullable(moment),
      ...reportedFields,
      /** Location of the browser's network, as the browser reported it. */
      network: v.nullable(v.object({ city: v.string(), country: v.string() })),
    }),
  ),
  /** The login sessions that are open now. */
  logins: recordsOf(v.object({ signedInAt: v.nullable(moment), seenAt: v.nullable(moment), until: moment })),
  statusHistory: recordsOf(
    v.object({
      from: blockStatusSchema,
      status: blockStatusSchema,
      by: v.picklist(['you', 'rules', 'moderator']),
      what: causeSchema,
      rule: ruleSchema,
      reason: v.string(),
      at: moment,
      until: v.nullable(moment),
    }),
  ),
  appeals: recordsOf(v.object({ at: moment })),
  /** How the last restriction ended; null once the user has seen it. */
  notice: v.nullable(v.object({ outcome: reviewOutcomeSchema, at: moment })),
  letters: recordsOf(v.object({ outcome: reviewOutcomeSchema, at: moment })),
  reportsMade: recordsOf(
    v.object({
      about: v.string(),
      type: v.string(),
      /** What the user chose, wrote and allowed to be sent; null for what was left out. */
      reason: v.nullish(reportReasonSchema),
      note: v.nullish(v.string()),
      curtain: v.nullish(curtainSeenSchema),
      callMs: v.nullable(v.number()),
      at: moment,
      ...decided,
    }),
  ),
  /**
   * Undecided and dismissed reports that the user made with an earlier account, and dismissed reports about people
   * whose accounts are deleted.
   */
  reportsKept: v.optional(recordsOf(v.object({ reason: v.nullable(reportReasonSchema), at: moment, ...decided })), []),
  reportsReceived: v.number(),
  /** What the classifier found in the user's own pictures. */
  findings: recordsOf(v.object({ label: v.string(), score: v.number(), at: moment, ...decided })),
  /**
   * Facts about the stored pictures that this user's browser sent. `evidenceReceived` counts the pictures of this user
   * that others' browsers sent.
   */
  evidence: recordsOf(
    v.object({
      kind: v.picklist(['flagged', 'reporters-view', 'own-camera', 'waiting']),
      about: v.string(),
      at: moment,
    }),
  ),
  evidenceReceived: v.number(),
  /** Statistics of the pictures sent during one stay on the dashboard. */
  frameSignals: recordsOf(v.object({ from: moment, at: moment, ...frameSignals })),
  /** Which digests of a network address or a kind of device are stored, and when each was last seen. */
  traces: recordsOf(v.object({ kind: v.picklist(['address', 'device']), at: moment })),
  blocked: recordsOf(v.object({ whom: v.string(), at: moment })),
  met: recordsOf(v.object({ whom: v.string(), at: moment })),
  calls: recordsOf(v.object({ startedAt: moment, endedAt: v.nullable(moment), connected: v.boolean() })),
  frames: recordsOf(v.object({ kind: v.string(), count: v.number(), first: moment, last: moment })),
  logEntries: recordsOf(v.object({ at: moment, level: v.string(), message: v.string() })),
  deletions: recordsOf(v.object({ requestedAt: moment, dueAt: moment, state: deletionStateSchema })),
})
export type MyData = v.InferOutput<typeof myDataSchema>
