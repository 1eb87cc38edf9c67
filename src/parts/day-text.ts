const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

/** A day as people write it: 2 December 2026. */
export function dayText(at: number): string {
  return day.format(at)
}
