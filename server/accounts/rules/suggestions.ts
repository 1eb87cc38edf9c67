import { SUGGESTED_FROM_USERS, SUGGESTIONS_MAX } from '#protocol/constants.ts'
import { MINUTE_MS } from '#protocol/durations.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { PreferenceRecords } from './preference-ports.ts'

/** Returns a function that resolves with the suggested interests, which are counted at most once a minute. */
export function createSuggestions(
  preferences: Pick<PreferenceRecords, 'commonInterests'>,
  clock: Pick<Clock, 'now'>,
): () => Promise<string[]> {
  let counted: { until: number; interests: Promise<string[]> } | null = null
  return async () => {
    if (counted && clock.now() < counted.until) return counted.interests
    const fresh = {
      until: clock.now() + MINUTE_MS,
      interests: preferences.commonInterests(SUGGESTED_FROM_USERS, SUGGESTIONS_MAX),
    }
    counted = fresh
    try {
      return await fresh.interests
    } catch (error) {
      if (counted === fresh) counted = null
      throw error
    }
  }
}
