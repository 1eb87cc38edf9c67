import { DAY_MS } from '#protocol/durations.ts'
import {
  directionOf,
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  languageSchema,
  pickLanguage,
} from '#protocol/languages.ts'
import { tryParse } from '#protocol/parse.ts'

const YEAR_SECONDS = (365 * DAY_MS) / 1000

function keptLanguage(): string | undefined {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  return pairs.find(([name]) => name === LANGUAGE_COOKIE)?.[1]
}

/**
 * The language to begin with: that of the page where the server has drawn it, else what the server would choose, for a page
 * that was kept for offline use may be of another time. An address that asked for a language has been heard then.
 */
export function languageOfVisit(drawn: boolean): Language {
  const parameter = new URLSearchParams(location.search).get(LANGUAGE_PARAMETER)
  const wanted = pickLanguage({ parameter, cookie: keptLanguage(), accepted: navigator.languages })
  const named = tryParse(languageSchema, document.documentElement.lang)
  const language = drawn && named.success ? named.output : wanted
  if (parameter !== null) rememberLanguage(language)
  return language
}

/** Keeps it for a year, and takes it out of the address, where it would overrule a later choice. */
export function rememberLanguage(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
  const address = new URL(location.href)
  if (!address.searchParams.has(LANGUAGE_PARAMETER)) return
  address.searchParams.delete(LANGUAGE_PARAMETER)
  history.replaceState(history.state, '', address)
}

/** Screen readers and the layout follow what the page says of itself. */
export function nameLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
