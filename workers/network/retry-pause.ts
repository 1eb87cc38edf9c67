/** Statuses after which the same call may succeed a little later. */
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** A server that asks for a longer pause than this is not asked again by the same call. */
const LONGEST_PAUSE_MS = 60_000
/** How far a pause is off to either side, so that clients which failed together do not come back together. */
const JITTER = 0.1

/** What came of an attempt: the status of the answer and its Retry-After header, or null where no answer came. */
export type Failed = { status: number; retryAfter: string | null } | null

type Chance = { delayMs: number; now: number; random: () => number }

/** Milliseconds from a failed attempt to the next one, null where there is no next one. A server's own wish is kept exactly. */
export function pauseAfter(failed: Failed, { delayMs, now, random }: Chance): number | null {
  if (failed && !RETRIED_STATUSES.includes(failed.status)) return null
  const asked = failed && askedPause(failed.retryAfter, now)
  if (asked === null) return delayMs * (1 - JITTER + random() * 2 * JITTER)
  return asked > LONGEST_PAUSE_MS ? null : asked
}

/** A Retry-After header names seconds or a time; null where it is missing or neither. */
function askedPause(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  // Date.parse reads nearly anything as a date.
  const time = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - now)
}
