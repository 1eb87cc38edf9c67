import * as v from 'valibot'
import { START_PATH } from './constants.ts'
import { pendingDeletionSchema } from './deletion.ts'
import type { Endpoint } from './endpoint.ts'
import { blockCaseSchema, blockStatusSchema, caseNoticeSchema } from './moderation.ts'
import { onlineCountsSchema } from './online-counts.ts'

/** `case` explains the status. `notice` tells how the last restriction ended; it is null once the user has seen it. */
export const blockStateSchema = v.object({
  status: blockStatusSchema,
  case: v.nullish(blockCaseSchema),
  notice: v.nullish(caseNoticeSchema),
})
export type BlockState = v.InferOutput<typeof blockStateSchema>

/** `deletion` is null if none is requested; `delayDays` is the number of days for which it can be cancelled. */
export const deletionWaitSchema = v.object({ deletion: v.nullable(pendingDeletionSchema), delayDays: v.number() })
export type DeletionWait = v.InferOutput<typeof deletionWaitSchema>

const startSchema = v.object({
  /** The server's clock, in milliseconds since 1970. */
  timestamp: v.number(),
  /** As `readSession` returns it. */
  session: v.string('Cookie value missing or invalid'),
  /** True if `createSession` has not been sent for this login session. */
  wantsEntry: v.boolean(),
  /** As `readProfileCookie` returns it; null if no user is signed in. */
  profile: v.nullable(v.string('Cookie value missing or invalid')),
  /**
   * True if the access token was valid or could be refreshed, and the refresh token has been replaced. False without a confirmed profile.
   */
  isSignedIn: v.boolean(),
  /** Null unless `isSignedIn`, as is `deletion`. */
  block: v.nullable(blockStateSchema),
  deletion: v.nullable(deletionWaitSchema),
  ...onlineCountsSchema.entries,
})
export type Start = v.InferOutput<typeof startSchema>

/**
 * Everything that a visit starts with, in one response: server time, login session, profile, validation and refresh of
 * the login, block status, deletion and online count, by the rules of the single endpoints and with their cookies. Not
 * built by `get`, which the first script of the network worker would also have to load.
 */
export const readStart = {
  method: 'GET',
  path: START_PATH,
  login: false,
  byScript: true,
  response: startSchema,
} as const satisfies Endpoint
