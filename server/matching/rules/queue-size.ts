import { QUEUE_SIZE_EXACT_MAX, QUEUE_SIZE_MAX } from '#protocol/constants.ts'

const STEP = QUEUE_SIZE_EXACT_MAX + 1

/**
 * Returns the number of others who search in the form that users are told: rounded down above `QUEUE_SIZE_EXACT_MAX`,
 * at most `QUEUE_SIZE_MAX`.
 */
export function toldQueueSize(others: number): number {
  if (others <= QUEUE_SIZE_EXACT_MAX) return Math.max(0, others)
  return Math.min(others - (others % STEP), QUEUE_SIZE_MAX)
}

/** Smaller numbers of speakers are not told: they would show when the only other speaker of a rare language searches. */
const SPEAKERS_MIN = 10

/**
 * Returns the number of others who speak a language in the form that users are told: rounded down to tens, or to
 * hundreds above 99; null below `SPEAKERS_MIN`.
 */
export function toldSpeakers(others: number): number | null {
  return others < SPEAKERS_MIN ? null : toldQueueSize(others - (others % SPEAKERS_MIN))
}
