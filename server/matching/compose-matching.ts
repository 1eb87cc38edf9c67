import { HUB_RESUME_MS } from '#protocol/constants.ts'
import type { Platform } from '../platform/platform.ts'
import { createMatchingRecords } from './records/matching-records.ts'
import { type Activity, createActivity } from './rules/activity.ts'
import type { QueueOptions } from './rules/match-queue.ts'
import { Meetings, meetingRules } from './rules/meetings.ts'
import { TRUST_HALF_LIFE_MS, Trust } from './rules/trust.ts'

/**
 * Wait after which an ordinary user also meets users who wait apart. Longer than the usual wait in a busy queue, so
 * that users of the same part of the queue meet first. Longer than `MATCH_RELAX_AFTER_MS`, so that an earlier partner
 * comes before a user whose matches fail. Short enough for a user who waits apart without reason.
 */
const APART_AFTER_MS = 20_000

export function composeMatching({ config, counts, createSums, random, database }: Platform) {
  const { languageAfterMs, anybodyAfterMs, spillAfterMs, relaxAfterMs, languageCrowd } = config
  const times = { languageAfterMs, anybodyAfterMs, spillAfterMs, apartAfterMs: APART_AFTER_MS, relaxAfterMs }
  const queueOptions: QueueOptions = { random, ...times, languageCrowd, keepMs: HUB_RESUME_MS }
  return {
    ...database.records(createMatchingRecords),
    queueOptions,
    trust: new Trust(createSums('trust', ['failed', 'good', 'fair'], TRUST_HALF_LIFE_MS)),
    meetings: new Meetings(counts, meetingRules(config.nextWaitSeconds, config.matchTimeoutMs)),
  }
}

/** Counts the users who search and talk on all servers with the same Redis; without Redis, on this server. */
export async function composeActivity({ app, redis, clock, newId, log }: Platform): Promise<Activity> {
  if (!redis) return createActivity()
  const { shareActivity } = await import('./redis/shared-activity.ts')
  return shareActivity(app, { client: redis, newId, clock, log })
}
