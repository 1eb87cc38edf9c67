import * as v from 'valibot'
import { INTEREST_MAX, INTERESTS_MAX, LANGUAGES_MAX, NICKNAME_PATTERN } from './constants.ts'
import { listOf } from './parse.ts'
import { spokenLanguageSchema } from './spoken-languages.ts'

/** What a user tells about whom to meet. Both lists may be empty. */

/** Before normalising, which can make a text longer or shorter. */
const INTEREST_SENT_MAX = 200

/**
 * Returns the form in which interests are kept and compared: NFKC, lower case by Unicode's mapping without a language, so that every server
 * and browser maps alike, and single spaces. A second pass changes nothing.
 */
export function normaliseInterest(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim().replace(/\s+/g, ' ')
}

/** Controls and direction marks, some of which normalising would turn into a space. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** The rules of nicknames: letters of any script and single spaces, so that links, markup, digits and signs are refused. */
const interestSchema = v.pipe(
  v.string('An interest is text'),
  v.maxLength(INTEREST_SENT_MAX, `An interest has at most ${INTEREST_MAX} characters`),
  v.check((text) => !FORBIDDEN.test(text), 'An interest has letters and spaces'),
  v.transform(normaliseInterest),
  v.nonEmpty('An interest is not empty'),
  v.maxLength(INTEREST_MAX, `An interest has at most ${INTEREST_MAX} characters`),
  v.regex(NICKNAME_PATTERN, 'An interest has letters and spaces'),
)

const areDistinct = (items: readonly string[]) => new Set(items).size === items.length

export const preferencesSchema = v.object({
  languages: v.pipe(
    listOf(spokenLanguageSchema, LANGUAGES_MAX, `At most ${LANGUAGES_MAX} languages`),
    v.check(areDistinct, 'Each language only once'),
  ),
  interests: v.pipe(
    listOf(interestSchema, INTERESTS_MAX, `At most ${INTERESTS_MAX} interests`),
    v.check(areDistinct, 'Each interest only once'),
  ),
})
export type Preferences = v.InferOutput<typeof preferencesSchema>

/** As a server stores and returns them. */
export const storedPreferencesSchema = v.object({
  languages: listOf(v.string(), LANGUAGES_MAX),
  interests: listOf(v.string(), INTERESTS_MAX),
})
