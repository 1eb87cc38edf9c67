import { isOneOf } from './checks.ts'

/** The languages that a user can choose, each with its own name for itself. */
export const offeredLanguages = { en: 'English', es: 'Español' } as const
export type OfferedLanguage = keyof typeof offeredLanguages
const offered = Object.keys(offeredLanguages) as OfferedLanguage[]

/**
 * A mirrored pseudo-language made from English: shows every screen in a right-to-left layout. Only the cookie chooses
 * it, which developers set by hand: nobody can mirror another person's pages by a link.
 */
export const PSEUDO_LANGUAGE = 'en-XB'

export type Language = OfferedLanguage | typeof PSEUDO_LANGUAGE
export const languages: readonly Language[] = [...offered, PSEUDO_LANGUAGE]
export const isLanguage = isOneOf(languages)

/** Stores the user's choice; not HttpOnly because the page writes it. */
export const LANGUAGE_COOKIE = 'language'
/** A query parameter that overrides cookie and browser preference. */
export const LANGUAGE_PARAMETER = 'language'

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === PSEUDO_LANGUAGE ? 'rtl' : 'ltr'
}

/** What a request says about languages; `accepted` is in order of preference, like `navigator.languages`. */
export type LanguagePreferences = { parameter: unknown; cookie: unknown; accepted: readonly string[] }

/** Returns the first known language among the parameter, the cookie and the accepted languages, else English. */
export function pickLanguage({ parameter, cookie, accepted }: LanguagePreferences): Language {
  if (isLanguage(parameter) && parameter !== PSEUDO_LANGUAGE) return parameter
  if (isLanguage(cookie)) return cookie
  for (const tag of accepted) {
    const [spoken] = tag.trim().toLowerCase().split('-', 1)
    const known = offered.find((language) => language === spoken)
    if (known) return known
  }
  return 'en'
}

/** Most language tags that are read from one header. */
const TAGS_MAX = 64

/** Returns the tags of an Accept-Language header, the preferred first, without those with `q=0`. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', TAGS_MAX)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
