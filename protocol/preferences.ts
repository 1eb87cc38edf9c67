import * as v from 'valibot'
import { INTEREST_MAX, INTERESTS_MAX, LANGUAGES_MAX, NICKNAME_PATTERN } from './constants.ts'
import { listOf, tryParse } from './parse.ts'
import { spokenLanguageSchema } from './spoken-languages.ts'

/** What a user tells about whom to meet. Both lists may be empty. */

/** Before normalising, which can make a text longer or shorter. */
const INTEREST_SENT_MAX = 200

/** A Greek sigma at the end of a word has a form of its own, which depends on what follows it before the text is normalised. */
const FINAL_SIGMA = /(?<=[\p{L}\p{M}])σ(?![\p{L}\p{M}])/gu

/**
 * Returns the form in which interests are kept and compared: NFKC, lower case by Unicode's mapping without a language, so that every server
 * and browser maps alike, and single spaces. A second pass changes nothing, nor does the case of the text matter.
 */
export function normaliseInterest(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFKC')
  return lower.replaceAll('ς', 'σ').replace(FINAL_SIGMA, 'ς').trim().replace(/\s+/g, ' ')
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

/** A list of distinct items. Its issues name the list alone, not an item of it. */
function distinctListOf(
  item: v.GenericSchema<string, string>,
  max: number,
  messages: { list: string; repeated: string },
) {
  return v.pipe(
    v.custom<string[]>(
      (value) => Array.isArray(value) && value.length <= max && value.every((one) => typeof one === 'string'),
      messages.list,
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const found = new Set<string>()
      for (const text of dataset.value) {
        const parsed = tryParse(item, text)
        const message = parsed.success ? messages.repeated : parsed.issues[0].message
        if (!parsed.success || found.has(parsed.output)) {
          addIssue({ message })
          return NEVER
        }
        found.add(parsed.output)
      }
      return [...found]
    }),
  )
}

export const preferencesSchema = v.object({
  languages: distinctListOf(spokenLanguageSchema, LANGUAGES_MAX, {
    list: `At most ${LANGUAGES_MAX} languages`,
    repeated: 'Each language only once',
  }),
  interests: distinctListOf(interestSchema, INTERESTS_MAX, {
    list: `At most ${INTERESTS_MAX} interests`,
    repeated: 'Each interest only once',
  }),
})
export type Preferences = v.InferOutput<typeof preferencesSchema>

/** As a server stores and returns them. */
export const storedPreferencesSchema = v.object({
  languages: listOf(v.string(), LANGUAGES_MAX),
  interests: listOf(v.string(), INTERESTS_MAX),
})
