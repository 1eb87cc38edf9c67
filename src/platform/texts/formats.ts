import { type Language, PSEUDO_LANGUAGE } from '#protocol/languages.ts'

/** Returns the language tag for `Intl`. */
export function localeOf(language: Language): string {
  return language === PSEUDO_LANGUAGE ? 'en' : language
}

/** Rounds to `fractionDigits`, and shows all of them. */
export function formatNumber(language: Language, value: number, fractionDigits = 0): string {
  const digits = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  return new Intl.NumberFormat(localeOf(language), digits).format(value)
}

/** Formats a day, given as yyyy-MM-dd. */
export function formatDay(language: Language, day: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** Formats the day of `at` (milliseconds since 1970) in the device's time zone. */
export function formatTime(language: Language, at: number): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(at)
}

/** Formats day and time of `at` (milliseconds since 1970) in the device's time zone. */
export function formatMoment(language: Language, at: number): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

/** Formats the UTC day of `date` with the day of the week. */
export function formatWholeDate(language: Language, date: Date): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'full', timeZone: 'UTC' }).format(date)
}

/** Formats a month, given as yyyy-MM. */
export function formatMonth(language: Language, month: string): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01`))
}

export function monthNames(language: Language): string[] {
  const format = new Intl.DateTimeFormat(localeOf(language), { month: 'long' })
  return Array.from({ length: 12 }, (_, month) => format.format(new Date(2001, month, 1)))
}

/** Returns a list as in "Google or Facebook". */
export function formatChoice(language: Language, options: readonly string[]): string {
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(options)
}

/** Returns a list as in "chess and music". */
export function formatList(language: Language, items: readonly string[]): string {
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(items)
}

/** Returns the names of languages in the language of the page. Leaves out languages that the browser does not know. */
export function formatLanguageNames(language: Language, codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames(localeOf(language), { type: 'language', fallback: 'none' })
  return codes.flatMap((code) => names.of(code) ?? [])
}
