import { DAY_MS } from '#protocol/durations.ts'

function isWeekend(at: number): boolean {
  const day = new Date(at).getUTCDay()
  return day === 0 || day === 6
}

/**
 * Returns the same time of day `days` business days later, in UTC. Saturdays and Sundays do not count. Public holidays count, since they
 * differ by country: the result may be too early, never too late.
 */
export function addBusinessDays(at: number, days: number): number {
  let end = at
  for (let left = days; left > 0; ) {
    end += DAY_MS
    if (!isWeekend(end)) left -= 1
  }
  return end
}
