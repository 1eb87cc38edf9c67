import * as v from 'valibot'
import { blockStatusSchema, genderSchema, isoDaySchema, providerSchema } from './fields.ts'

/** What a person may ask of the server about their own data. Moments are ISO 8601, people are opaque names. */

/** A deletion that has been asked for is carried out at the latest so many business days later. */
export const DELETION_BUSINESS_DAYS = 7

/** `waiting` can be taken back; `held` waits until a legal hold ends; the other two are over. */
export const deletionStateSchema = v.picklist(['waiting', 'held', 'done', 'cancelled'])
export type DeletionState = v.InferOutput<typeof deletionStateSchema>

/** A deletion that has not been carried out; times are milliseconds since 1970. It begins no earlier than `startAt`. */
export const pendingDeletionSchema = v.object({
  state: v.picklist(['waiting', 'held']),
  requestedAt: v.number(),
  startAt: v.number(),
  dueAt: v.number(),
})
export type PendingDeletion = v.InferOutput<typeof pendingDeletionSchema>

/** The code that Facebook hands to the person who asked there: 128 random bits in base64url. */
export const deletionCodeSchema = v.pipe(
  v.string('A code is needed'),
  v.regex(/^[\w-]{22}$/, 'A code has 22 letters, digits, hyphens or underscores'),
)

const moment = v.string()

/** Everything that is kept about one person, and nothing about anybody else. */
export const myDataSchema = v.object({
  madeAt: moment,
  account: v.object({
    provider: providerSchema,
    subject: v.string(),
    email: v.string(),
    firstName: v.string(),
    lastName: v.string(),
    status: blockStatusSchema,
    createdAt: moment,
  }),
  profile: v.nullable(
    v.object({
      nickName: v.string(),
      gender: genderSchema,
      dateOfBirth: isoDaySchema,
      picture: v.nullable(v.object({ type: v.string(), base64: v.string() })),
    }),
  ),
  consents: v.array(v.object({ version: v.string(), at: moment })),
  sessions: v.array(
    v.object({
      createdAt: moment,
      signedInAt: v.nullable(moment),
      browser: v.nullable(v.string()),
      device: v.nullable(v.string()),
      os: v.nullable(v.string()),
      city: v.nullable(v.string()),
      country: v.nullable(v.string()),
      network: v.nullable(
        v.object({ ip: v.string(), hostname: v.string(), city: v.string(), country: v.string(), loc: v.string() }),
      ),
    }),
  ),
  logins: v.array(v.object({ until: moment })),
  statusHistory: v.array(
    v.object({ status: blockStatusSchema, by: v.picklist(['you', 'rules', 'moderator']), why: v.string(), at: moment }),
  ),
  appeals: v.array(v.object({ at: moment })),
  reportsMade: v.array(v.object({ about: v.string(), type: v.string(), at: moment })),
  reportsReceived: v.number(),
  blocked: v.array(v.object({ whom: v.string(), at: moment })),
  met: v.array(v.object({ whom: v.string(), at: moment })),
  calls: v.array(v.object({ startedAt: moment, endedAt: v.nullable(moment), connected: v.boolean() })),
  frames: v.array(v.object({ kind: v.string(), count: v.number(), first: moment, last: moment })),
  logEntries: v.array(v.object({ at: moment, level: v.string(), message: v.string() })),
  deletions: v.array(v.object({ requestedAt: moment, dueAt: moment, state: deletionStateSchema })),
})
export type MyData = v.InferOutput<typeof myDataSchema>
