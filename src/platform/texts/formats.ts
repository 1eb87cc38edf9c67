import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'

/** The tag for `Intl`. */
export function localeOf(language: Language): string {
  return language === PSEUDO_LANGUAGE ? 'en' : language
}

/** Rounds to `fractionDigits`, and shows all of them. */
export function formatNumber(language: Language, value: number, fractionDigits = 0): string {
  const digits = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  return new Intl.NumberFormat(localeOf(language), digits).format(value)
}

/** `day` is yyyy-MM-dd. */
export function formatDay(language: Language, day: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** The day, where the reader is, of `at`, in milliseconds since 1970. */
export function formatTime(language: Language, at: number): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(at)
}

/** The day and the time of day, where the reader is. */
export function formatMoment(language: Language, at: number): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

/** The day of UTC, with the day of the week. */
export function formatWholeDate(language: Language, date: Date): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeZone: 'UTC' }).format(date)
}

/** `month` is yyyy-MM. */
export function formatMonth(language: Language, month: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01`))
}

export function monthNames(language: Language): string[] {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: 'long' })
  return Array.from({ length: 12 }, (_, month) => format.format(new Date(2001, month, 1)))
}

/** As in "Google or Facebook". */
export function formatChoice(language: Language, options: readonly string[]): string {
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(options)
}

/** As in "chess and music". */
export function formatList(language: Language, items: readonly string[]): string {
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(items)
}

/** The names of languages in the language of the page, without those that the browser does not know. */
export function formatLanguageNames(language: Language, codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames(localeOf(language), { type: 'language', fallback: 'none' })
  return codes.flatMap((code) => names.of(code) ?? [])
}
