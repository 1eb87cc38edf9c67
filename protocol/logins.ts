import * as v from 'valibot'
import { providerSchema } from './fields.ts'
import { recordsOf } from './parse.ts'

/** Schemas of the list of a person's own logins. Times are milliseconds since 1970. */

/** Identifies a login in its owner's list. It is no credential. */
const loginIdSchema = v.pipe(
  v.string('A login id is needed'),
  v.regex(/^[\w-]{43}$/, 'A login id has 43 letters, digits, hyphens or underscores'),
)

/** One browser that is signed in. Browser, device, system and place are as that browser reported them; null where unknown. */
const ownLoginSchema = v.object({
  id: loginIdSchema,
  /** True for the login of the browser that asks. */
  isCurrent: v.boolean(),
  signedInAt: v.number(),
  seenAt: v.number(),
  browser: v.nullable(v.string()),
  device: v.nullable(v.string()),
  os: v.nullable(v.string()),
  city: v.nullable(v.string()),
  country: v.nullable(v.string()),
})
export type OwnLogin = v.InferOutput<typeof ownLoginSchema>

/** The login of the browser that asks comes first, then the one that was seen last. `source` is the provider of the account. */
export const ownLoginsSchema = v.object({ source: providerSchema, logins: recordsOf(ownLoginSchema) })

export const endLoginSchema = v.object({ id: loginIdSchema })
