/** The label of countries that are rare here, unknown, or none at all. */
const OTHER_COUNTRY = 'other'

/** The number of users that makes a country common. With fewer, a country and a browser could be one person. */
const PEOPLE_MIN = 20
/** Countries with a label of their own: each multiplies the series of every metric by country. */
const COUNTRIES_MAX = 10

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** The country comes from a browser, which may send any text. */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined
}

/**
 * Decides which countries are named in metrics: the first `COUNTRIES_MAX` of which `PEOPLE_MIN` users reported since the start of this
 * server. Holds ids of users only until their country is common.
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
