import * as v from 'valibot'

/** A requested deletion is carried out within this number of business days. */
export const DELETION_BUSINESS_DAYS = 7

/** `waiting` can be cancelled; `held` waits for the end of a legal hold; `done` and `cancelled` are final. */
export const deletionStateSchema = v.picklist(['waiting', 'held', 'done', 'cancelled'])
export type DeletionState = v.InferOutput<typeof deletionStateSchema>

/**
 * A deletion that is not carried out yet. It is carried out at `startAt` at the earliest. Times are milliseconds since
 * 1970.
 */
export const pendingDeletionSchema = v.object({
  state: v.picklist(['waiting', 'held']),
  requestedAt: v.number(),
  startAt: v.number(),
  dueAt: v.number(),
})
export type PendingDeletion = v.InferOutput<typeof pendingDeletionSchema>

/** The confirmation code that Facebook shows to the user who requested deletion there: 128 random bits in base64url. */
export const deletionCodeSchema = v.pipe(
  v.string('A code is needed'),
  v.regex(/^[\w-]{22}$/, 'A code has 22 letters, digits, hyphens or underscores'),
)
