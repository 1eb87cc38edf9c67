/** The label of countries that are rare or unknown, and of text that is no country. */
const OTHER_COUNTRY = 'other'

/** Users from which a country is common. With fewer, a country and a browser could identify one person. */
const PEOPLE_MIN = 20
/** Countries with a separate label; each adds series to every metric with a country. */
const COUNTRIES_MAX = 10

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** A browser sends the country, and may send any text. */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined
}

/**
 * Decides which countries metrics name: the first `COUNTRIES_MAX` countries from which `PEOPLE_MIN` users have reported
 * since the start of this server. Keeps ids of users only until their country is common.
 */
export class CountryLabels {
  readonly #common = new Set<string>()
  readonly #rare = new Map<string, Set<string>>()

  labelOf(country: string | null, accountId: string): string {
    const code = country?.toUpperCase() ?? ''
    if (this.#common.has(code)) return code
    if (this.#common.size >= COUNTRIES_MAX || !isCountry(code)) return OTHER_COUNTRY
    const people = this.#rare.get(code) ?? new Set()
    this.#rare.set(code, people.add(accountId))
    if (people.size < PEOPLE_MIN) return OTHER_COUNTRY
    this.#rare.delete(code)
    this.#common.add(code)
    if (this.#common.size >= COUNTRIES_MAX) this.#rare.clear()
    return code
  }
}
