import { MINIMUM_AGE } from '#protocol/constants.ts'
import { latestDay } from '#protocol/latest-day.ts'

/** A calendar day without time or time zone. `month` is 1 to 12. */
export type Day = { year: number; month: number; day: number }

/** Number of years before today that can be chosen. */
export const OLDEST_YEARS = 120

const pad = (value: number, width = 2) => String(value).padStart(width, '0')

/** Formats as yyyy-MM-dd, for the server. */
export function isoDay({ year, month, day }: Day): string {
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}`
}

/** Formats as DD/MM/YYYY, for the screen. */
export function displayDay({ year, month, day }: Day): string {
  return `${pad(day)}/${pad(month)}/${pad(year, 4)}`
}

/** Parses yyyy-MM-dd or DD/MM/YYYY; returns null for any other text and for a day that does not exist. */
export function parseDay(text: string): Day | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  const shown = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text)
  const [year, month, day] = (iso ? iso.slice(1) : shown ? shown.slice(1).reverse() : []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  const exists = new Date(Date.UTC(2000, month - 1, day))
  exists.setUTCFullYear(year, month - 1, day)
  return exists.getUTCMonth() === month - 1 && exists.getUTCDate() === day ? { year, month, day } : null
}

function isBefore(a: Day, b: Day): boolean {
  return a.month < b.month || (a.month === b.month && a.day < b.day)
}

/** Returns the age in full years. A birthday on 29 February counts as 1 March in other years. */
export function ageOn(birth: Day, today: Day): number {
  return today.year - birth.year - (isBefore(today, birth) ? 1 : 0)
}

/** Returns the initial day of the picker: 18 years before today; 28 February if 29 February does not exist. */
export function proposedBirth(today: Day): Day {
  const birth = { ...today, year: today.year - MINIMUM_AGE }
  return parseDay(isoDay(birth)) ? birth : { ...birth, day: 28 }
}

export type BirthError = 'missing' | 'future' | 'underage'

/** Returns the error of the day; null if the day is valid. */
export function birthError(birth: Day | null, today: Day): BirthError | null {
  if (!birth) return 'missing'
  if (isoDay(birth) > isoDay(today)) return 'future'
  return ageOn(birth, today) >= MINIMUM_AGE ? null : 'underage'
}

/** Returns the day in the time zone that is furthest ahead (UTC+14). The server computes ages with this day. */
export function latestDayOf(now: number): Day {
  const [year = 0, month = 0, day = 0] = latestDay(now).split('-').map(Number)
  return { year, month, day }
}

/** Returns the local calendar day of a moment in milliseconds since 1970. */
export function dayOf(now: number): Day {
  const date = new Date(now)
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}
