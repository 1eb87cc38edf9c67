import * as v from 'valibot'
import { providerSchema } from './fields.ts'
import { recordsOf } from './parse.ts'

/** Schemas of the list of a user's own login sessions. Times are milliseconds since 1970. */

/** Identifies a login session in its user's list. It is not a credential. */
const loginIdSchema = v.pipe(
  v.string('A login id is needed'),
  v.regex(/^[\w-]{43}$/, 'A login id has 43 letters, digits, hyphens or underscores'),
)

/** As the browser reported them; null if unknown. */
export const reportedFields = {
  browser: v.nullable(v.string()),
  device: v.nullable(v.string()),
  os: v.nullable(v.string()),
  city: v.nullable(v.string()),
  country: v.nullable(v.string()),
}

/** The login session of one browser. */
const ownLoginSchema = v.object({
  id: loginIdSchema,
  /** True for the login session of the requesting browser. */
  isCurrent: v.boolean(),
  signedInAt: v.number(),
  seenAt: v.number(),
  ...reportedFields,
})
export type OwnLogin = v.InferOutput<typeof ownLoginSchema>

/**
 * The requesting browser's login session comes first. The others follow by time of last use, newest first. `source` is
 * the account's provider.
 */
export const ownLoginsSchema = v.object({ source: providerSchema, logins: recordsOf(ownLoginSchema) })

export const endLoginSchema = v.object({ id: loginIdSchema })
