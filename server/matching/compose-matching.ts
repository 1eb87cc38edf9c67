import { HUB_RESUME_MS } from '#protocol/constants.ts'
import type { Platform } from '../platform/platform.ts'
import { createMatchingRecords } from './records/matching-records.ts'
import type { QueueOptions } from './rules/match-queue.ts'
import { Meetings, meetingRules } from './rules/meetings.ts'

/** The records of matching, the rules of its queue, and the limit of people that an account meets. */
export function composeMatching({ config, counts, random, database }: Platform) {
  const { languageAfterMs, anybodyAfterMs, spillAfterMs, relaxAfterMs, languageCrowd } = config
  const times = { languageAfterMs, anybodyAfterMs, spillAfterMs, relaxAfterMs }
  const queueOptions: QueueOptions = { random, ...times, languageCrowd, keepMs: HUB_RESUME_MS }
  return {
    ...database.records(createMatchingRecords),
    queueOptions,
    meetings: new Meetings(counts, meetingRules(config.nextWaitSeconds, config.matchTimeoutMs)),
  }
}
