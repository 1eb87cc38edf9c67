import * as v from 'valibot'
import { tryParse } from './parse.ts'

/** The languages a person can choose, by the name each has for itself. */
export const offeredLanguages = { en: 'English', es: 'Español' } as const
export type OfferedLanguage = keyof typeof offeredLanguages

/** English made unreadable and mirrored: shows what a right-to-left language would do to every screen. Never offered. */
export const PSEUDO_LANGUAGE = 'en-XB'

export type Language = OfferedLanguage | typeof PSEUDO_LANGUAGE
export const languages = ['en', 'es', PSEUDO_LANGUAGE] as const satisfies readonly Language[]
export const languageSchema: v.GenericSchema<string, Language> = v.picklist(languages)

/** Remembers the choice; not HttpOnly, since the page writes it. */
export const LANGUAGE_COOKIE = 'language'
/** In an address it comes before everything else. */
export const LANGUAGE_PARAMETER = 'language'

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === PSEUDO_LANGUAGE ? 'rtl' : 'ltr'
}

/** What a visitor's browser says about languages; `accepted` in the order of preference, as in `navigator.languages`. */
export type LanguageWish = { parameter: unknown; cookie: unknown; accepted: readonly string[] }

/** The language to show: what the address asks for, what was chosen, what the browser prefers, English. */
export function pickLanguage({ parameter, cookie, accepted }: LanguageWish): Language {
  for (const asked of [parameter, cookie]) {
    const result = tryParse(languageSchema, asked)
    if (result.success) return result.output
  }
  for (const tag of accepted) {
    const offered = tag.trim().toLowerCase().split('-', 1)[0]
    if (offered === 'en' || offered === 'es') return offered
  }
  return 'en'
}

/** No browser names more languages. */
const TAGS_MAX = 64

/** The tags of an Accept-Language header, the preferred first; without those that are refused by `q=0`. */
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
