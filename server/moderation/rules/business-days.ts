import { DAY_MS } from '#protocol/durations.ts'

function isWeekend(at: number): boolean {
  const day = new Date(at).getUTCDay()
  return day === 0 || day === 6
}

/**
 * The same time of day, so many business days later, by the calendar of UTC. Saturdays and Sundays do not count; public holidays do,
 * for they differ from place to place, which makes the answer too early rather than too late.
 */
export function addBusinessDays(at: number, days: number): number {
  let end = at
  for (let left = days; left > 0; ) {
    end += DAY_MS
    if (!isWeekend(end)) left -= 1
  }
  return end
}
