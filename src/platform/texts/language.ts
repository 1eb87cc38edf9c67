import { DAY_MS } from '#protocol/durations.ts'
import {
  directionOf,
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  pickLanguage,
} from '#protocol/languages.ts'
import { readCookie, writeCookie } from '../io/page-cookies.ts'

const YEAR_SECONDS = (365 * DAY_MS) / 1000

/**
 * Returns the initial language: the user's choice, or else that of a prerendered page, or else the one that the server
 * would choose. A cached page may be in another language.
 */
export function languageOfVisit(drawn: boolean): Language {
  const parameter = new URLSearchParams(location.search).get(LANGUAGE_PARAMETER)
  const kept = readCookie(LANGUAGE_COOKIE) || undefined
  const wanted = pickLanguage({ parameter, cookie: kept, accepted: navigator.languages })
  const named = document.documentElement.lang
  const isChosen = [parameter, kept].includes(wanted)
  const language = drawn && !isChosen && isLanguage(named) ? named : wanted
  if (parameter !== null) rememberLanguage(language)
  return language
}

/** Stores the choice for a year. Removes the language from the URL, where it would override a later choice. */
export function rememberLanguage(language: Language): void {
  writeCookie(LANGUAGE_COOKIE, language, YEAR_SECONDS)
  const address = new URL(location.href)
  if (!address.searchParams.has(LANGUAGE_PARAMETER)) return
  address.searchParams.delete(LANGUAGE_PARAMETER)
  history.replaceState(history.state, '', address)
}

/** Sets language and direction of the document, for screen readers and layout. */
export function nameLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
