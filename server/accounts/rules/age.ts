import { MINIMUM_AGE } from '#protocol/constants.ts'
import { HOUR_MS } from '#protocol/durations.ts'

const FIRST_TIME_ZONE_MS = 14 * HOUR_MS

/** Returns the calendar day, yyyy-MM-dd, in UTC+14, the time zone in which a day begins first: a birthday counts as soon as it begins anywhere. */
export function latestDay(now: number): string {
  return new Date(now + FIRST_TIME_ZONE_MS).toISOString().slice(0, 10)
}

type DayParts = { year: number; rest: string }

function partsOf(day: string): DayParts {
  return { year: Number(day.slice(0, 4)), rest: day.slice(5) }
}

/** Returns the age in full years on `today`; both are calendar days, yyyy-MM-dd. A birthday on 29 February counts as 1 March in other years. */
export function fullYears(dateOfBirth: string, today: string): number {
  const born = partsOf(dateOfBirth)
  const current = partsOf(today)
  return current.year - born.year - (current.rest < born.rest ? 1 : 0)
}

export function isInFuture(dateOfBirth: string, now: number): boolean {
  return dateOfBirth > latestDay(now)
}

export function isAdult(dateOfBirth: string, now: number): boolean {
  return fullYears(dateOfBirth, latestDay(now)) >= MINIMUM_AGE
}
