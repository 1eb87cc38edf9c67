import { MINIMUM_AGE } from '#protocol/constants.ts'
import { latestDay } from '#protocol/latest-day.ts'

type DayParts = { year: number; rest: string }

function partsOf(day: string): DayParts {
  return { year: Number(day.slice(0, 4)), rest: day.slice(5) }
}

/** Days are yyyy-MM-dd. A birthday on 29 February counts as 1 March in other years. */
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
