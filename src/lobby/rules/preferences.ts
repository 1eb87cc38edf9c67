import { type InterestFormFault, interestFormFault } from '#protocol/preferences.ts'

export type InterestFault = InterestFormFault | 'known'

/** Returns the fault of a normalised, non-empty interest; null if it can be added to `others`. */
export function interestFault(interest: string, others: readonly string[]): InterestFault | null {
  return interestFormFault(interest) ?? (others.includes(interest) ? 'known' : null)
}

export type LanguageOption = {
  code: string
  /** Name in the language itself; absent if the browser does not know it. */
  own?: string | undefined
  /** Name in the language of the page. */
  name: string
}

/** Returns both names of each language, sorted by the name in the language of the page (`locale`). */
export function languageOptions(codes: readonly string[], locale: string): LanguageOption[] {
  const names = namesIn(locale)
  const collator = new Intl.Collator(locale)
  return codes
    .map((code) => ({ code, own: ownName(code), name: capitalized(names.of(code) ?? ownName(code) ?? code, locale) }))
    .sort((one, other) => collator.compare(one.name, other.name))
}

/** Leaves out the languages without a name in the browser: in Chromium about 20. */
export function namedLanguages(codes: readonly string[], locale: string): string[] {
  const names = namesIn(locale)
  return codes.filter((code) => names.of(code) !== undefined || ownName(code) !== undefined)
}

function namesIn(locale: string): Intl.DisplayNames {
  return new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
}

/** Undefined if the browser has no data of the language: it would answer in its own language. */
function ownName(code: string): string | undefined {
  const names = namesIn(code)
  const { locale } = names.resolvedOptions()
  if (locale !== code && !locale.startsWith(`${code}-`)) return undefined
  const name = names.of(code)
  return name === undefined ? undefined : capitalized(name, locale)
}

function capitalized(name: string, locale: string): string {
  const [first = ''] = name
  return first.toLocaleUpperCase(locale) + name.slice(first.length)
}

/** Removes marks and case, so that "espanol" finds "Español". */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** The options in which a name, a word of a name, or the code begins with what was typed, in this order. */
export function findLanguages(options: readonly LanguageOption[], typed: string): LanguageOption[] {
  const wanted = searchable(typed)
  if (wanted === '') return [...options]
  const found = options.map((option) => ({ option, rank: rankOf(option, wanted) })).filter(({ rank }) => rank < 3)
  return found.sort((one, other) => one.rank - other.rank).map(({ option }) => option)
}

/** Returns 3 for an option that does not fit. */
function rankOf({ code, own = '', name }: LanguageOption, wanted: string): number {
  const names = [searchable(own), searchable(name)]
  if (names.some((each) => each.startsWith(wanted))) return 0
  if (names.some((each) => each.split(/[\s(-]+/).some((word) => word.startsWith(wanted)))) return 1
  return code === wanted ? 2 : 3
}
