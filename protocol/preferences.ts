import * as v from 'valibot'
import { INTEREST_DIGITS_MAX, INTEREST_MAX, INTERESTS_MAX, LANGUAGES_MAX } from './constants.ts'
import { listOf, tryParse } from './parse.ts'
import { spokenLanguageSchema } from './spoken-languages.ts'
import { WORD_WITH_DIGITS } from './visible-words.ts'

/** What a user tells about whom to meet. Both lists may be empty. */

/** Most characters of an interest before normalising, which can make a text longer or shorter. */
const INTEREST_SENT_MAX = 200

/**
 * A sigma at the end of a Greek word has a form of its own. Lower case chooses the form by what follows the sigma
 * before the text is normalised, so it is chosen again.
 */
const FINAL_SIGMA = /(?<=[\p{L}\p{M}])σ(?![\p{L}\p{M}])/gu

/**
 * Returns the form in which interests are kept and compared: NFKC, lower case, the typewriter's apostrophe and hyphen,
 * and single spaces. Lower case follows Unicode's mapping without a language, so that every server and browser returns
 * the same form. A second pass changes nothing, and texts that differ only in case have the same form.
 */
export function normaliseInterest(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFKC')
  const signs = lower.replace(/[‘’]/g, "'").replace(/[‐‒–−]/g, '-')
  return signs.replaceAll('ς', 'σ').replace(FINAL_SIGMA, 'ς').trim().replace(/\s+/g, ' ')
}

/** Controls and direction marks, except the joiners within a word. Normalising would turn some of these characters into a space. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** Words of visible letters and digits of any script. Between two words is one hyphen, or at most a space and an apostrophe. */
const INTEREST_PATTERN = new RegExp(`^${WORD_WITH_DIGITS}(?:(?:[-']|'? | ')${WORD_WITH_DIGITS})*$`, 'u')

export type InterestFormFault = 'too-long' | 'letters' | 'digits'

/** What is wrong with a normalised interest; null if nothing is. */
export function interestFormFault(interest: string): InterestFormFault | null {
  if (interest.length > INTEREST_MAX) return 'too-long'
  if (!INTEREST_PATTERN.test(interest)) return 'letters'
  const digits = interest.match(/\p{Nd}/gu)?.length ?? 0
  return digits > INTEREST_DIGITS_MAX ? 'digits' : null
}

const TOO_LONG = `An interest has at most ${INTEREST_MAX} characters`
const LETTERS = 'An interest has letters and digits, with one space, hyphen or apostrophe between words'
const formMessages: Record<InterestFormFault, string> = {
  'too-long': TOO_LONG,
  letters: LETTERS,
  digits: `An interest has at most ${INTEREST_DIGITS_MAX} digits`,
}

export const interestSchema = v.pipe(
  v.string('An interest is text'),
  v.maxLength(INTEREST_SENT_MAX, TOO_LONG),
  v.check((text) => !FORBIDDEN.test(text), LETTERS),
  v.transform(normaliseInterest),
  v.nonEmpty('An interest is not empty'),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed && interestFormFault(dataset.value)
    if (fault) addIssue({ message: formMessages[fault] })
  }),
)

/** A list of distinct items. Its issues name only the list, not an item. */
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
