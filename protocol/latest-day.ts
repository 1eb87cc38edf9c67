import { HOUR_MS } from './durations.ts'

const FIRST_TIME_ZONE_MS = 14 * HOUR_MS

/** Returns the calendar day, yyyy-MM-dd, in UTC+14, the time zone in which a day begins first: a birthday counts as soon as it begins anywhere. */
export function latestDay(now: number): string {
  return new Date(now + FIRST_TIME_ZONE_MS).toISOString().slice(0, 10)
}
