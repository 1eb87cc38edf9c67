import * as v from 'valibot'
import {
  DEVICE_TEXT_MAX,
  EMAIL_MAX,
  LOG_LEVELS,
  NICKNAME_MAX,
  NICKNAME_PATTERN,
  NOT_AVAILABLE,
  SESSION_ID_PATTERN,
} from './constants.ts'
import { type Language, languages } from './languages.ts'

/** Fields that several messages share, each with the text that a user reads if it is invalid. */

export const sessionIdSchema = v.pipe(
  v.string('A session id is needed'),
  v.regex(SESSION_ID_PATTERN, 'A session id is 1 to 64 letters, digits, hyphens or underscores'),
)

/* @__NO_SIDE_EFFECTS__ */
export function idSchema(what: string) {
  return v.pipe(v.string(`${what} is needed`), v.regex(/^[\w-]{1,64}$/, `${what} is needed`))
}

/** A whole number from 0 to `most`. */
/* @__NO_SIDE_EFFECTS__ */
export function wholeUpTo(most: number) {
  return v.pipe(v.number('A number is needed'), v.integer(), v.minValue(0), v.maxValue(most, `At most ${most}`))
}

/** An email address as a provider reports it. 'NA' stands for a missing address and is invalid, as an empty one is. */
export const emailSchema = v.pipe(
  v.string('An e-mail address is needed'),
  v.maxLength(EMAIL_MAX, `An e-mail address has at most ${EMAIL_MAX} characters`),
  v.rfcEmail('An e-mail address is needed'),
)

export const nicknameMessages = {
  missing: 'Nickname is required',
  tooLong: `Nickname cannot exceed ${NICKNAME_MAX} characters`,
  letters: 'Only letters and single spaces between names are allowed',
} as const

export const nicknameSchema = v.pipe(
  v.string(nicknameMessages.missing),
  v.nonEmpty(nicknameMessages.missing),
  v.maxLength(NICKNAME_MAX, nicknameMessages.tooLong),
  v.regex(NICKNAME_PATTERN, nicknameMessages.letters),
)

export const genderSchema = v.picklist(['boy', 'girl', 'others'], 'Gender is one of boy, girl, others')
export type Gender = v.InferOutput<typeof genderSchema>

/** A calendar day, yyyy-MM-dd, that exists. */
export const isoDaySchema = v.pipe(
  v.string('A date is needed'),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'A date is written yyyy-MM-dd'),
  v.check((text) => {
    const time = Date.parse(`${text}T00:00:00Z`)
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  }, 'This day does not exist'),
)

export const providerSchema = v.picklist(['Google', 'Facebook'], 'The provider is Google or Facebook')
export type Provider = v.InferOutput<typeof providerSchema>
/** The name of a provider in settings. */
export type ProviderKey = Lowercase<Provider>

export const platformSchema = v.literal('Web', "The platform is 'Web'")

export const personNameSchema = v.pipe(v.string('A name is needed'), v.nonEmpty('A name is needed'), v.maxLength(100))

/** Browser, device and OS names: the client cuts them to 20 characters and sends 'NA' for an unknown one. */
export const deviceTextSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(DEVICE_TEXT_MAX))
/** A missing or empty value becomes 'NA'. */
const ipDetailOf = (longest: number) =>
  v.pipe(
    v.optional(v.string(), NOT_AVAILABLE),
    v.maxLength(longest),
    v.transform((text) => text.trim() || NOT_AVAILABLE),
  )
/** A network address, or its city, country or coordinates. */
export const ipDetailSchema = ipDetailOf(100)
/** A DNS name has at most 253 characters. */
export const hostNameSchema = ipDetailOf(253)

const TOKEN_MAX = 4096

/** A provider's access token: visible ASCII without quotes and backslashes. */
export const tokenSchema = v.pipe(
  v.string('A token is needed'),
  v.nonEmpty('A token is needed'),
  v.maxLength(TOKEN_MAX, `A token has at most ${TOKEN_MAX} characters`),
  v.regex(/^[!#-&(-[\]-_a-~]+$/, 'A token is visible ASCII without spaces and quotes'),
)

export const languageSchema: v.GenericSchema<string, Language> = v.picklist(languages)

/** Levels of the browser's log, each switched on or off by itself; a 'Trace' entry is sent as 'Info'. */
export const logLevelSchema = v.picklist(LOG_LEVELS)
export type LogLevel = v.InferOutput<typeof logLevelSchema>

/** Statistics of the pictures sent during one stay on the dashboard. */
export const frameSignals = {
  expected: v.number(),
  came: v.number(),
  black: v.number(),
  /** Servers of earlier versions send none. */
  changed: v.optional(v.number(), 0),
  longestGapMs: v.number(),
  sameFrameRepeated: v.number(),
  suspicious: v.number(),
}
