/** Statuses after which the same request may succeed later. */
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** A request is not retried if Retry-After is longer than this. */
const LONGEST_PAUSE_MS = 60_000
/** Random share by which a pause is longer or shorter, so that clients that failed together do not retry together. */
const JITTER = 0.1

/** A failed attempt: status and Retry-After header of the response, or null if there was no response. */
export type Failed = { status: number; retryAfter: string | null } | null

type Chance = { delayMs: number; now: number; random: () => number }

/** Returns the milliseconds until the next attempt, exactly those of Retry-After if it is given; null if there is no next attempt. */
export function pauseAfter(failed: Failed, { delayMs, now, random }: Chance): number | null {
  if (failed && !RETRIED_STATUSES.includes(failed.status)) return null
  const requested = failed && requestedPause(failed.retryAfter, now)
  if (requested === null) return delayMs * (1 - JITTER + random() * 2 * JITTER)
  return requested > LONGEST_PAUSE_MS ? null : requested
}

/** Returns the milliseconds of a Retry-After header, which has seconds or a date; null if it is missing or invalid. */
function requestedPause(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  // Date.parse accepts nearly any text.
  const time = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - now)
}
