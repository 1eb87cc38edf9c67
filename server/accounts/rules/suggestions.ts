import { SUGGESTED_FROM_NETWORKS, SUGGESTIONS_MAX } from '#protocol/constants.ts'
import { DAY_MS, MINUTE_MS } from '#protocol/durations.ts'
import { KEPT_CALL_MS } from '../../matching/rules/match.ts'
import type { ModerationPolicy } from '../../moderation/rules/policy.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { WordChecks } from '../../words/rules/word-checks.ts'
import type { PreferenceRecords } from './profile-ports.ts'

/** Time for which a count is used; each count reads all accounts that may be settled. */
const COUNTED_MS = 10 * MINUTE_MS
/** Most interests that are counted; more than are suggested, since some of them are not offered. */
const COUNTED_MAX = 3 * SUGGESTIONS_MAX

type Deps = {
  preferences: Pick<PreferenceRecords, 'commonInterests'>
  words: Pick<WordChecks, 'suggestable'>
  /** When a person is settled, so that their choice counts: when their reports may suspend a user. */
  settled: Pick<ModerationPolicy, 'standingDays' | 'standingCalls'>
  clock: Pick<Clock, 'now'>
}

/** Returns a function that resolves with the suggested interests. A word that moderators refuse is removed at once on every server. */
export function createSuggestions({ preferences, words, settled, clock }: Deps): () => Promise<string[]> {
  let counted: { until: number; interests: Promise<string[]> } | null = null

  async function common(): Promise<string[]> {
    if (counted && clock.now() < counted.until) return counted.interests
    const now = clock.now()
    const interests = preferences.commonInterests({
      networks: SUGGESTED_FROM_NETWORKS,
      max: COUNTED_MAX,
      createdBefore: now - settled.standingDays * DAY_MS,
      calls: settled.standingCalls,
      lastedMs: KEPT_CALL_MS,
    })
    const fresh = { until: now + COUNTED_MS, interests }
    counted = fresh
    interests.catch(() => {
      if (counted === fresh) counted = null
    })
    return interests
  }

  return async () => (await words.suggestable(await common())).slice(0, SUGGESTIONS_MAX)
}
