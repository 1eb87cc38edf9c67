import type { Platform } from '../platform/platform.ts'
import { createMatchingRecords } from './records/matching-records.ts'
import { Meetings, meetingRules } from './rules/meetings.ts'

/** The records of matching, and the limit of people that an account meets. */
export function composeMatching({ config, counts, database }: Platform) {
  return {
    ...database.records(createMatchingRecords),
    meetings: new Meetings(counts, meetingRules(config.nextWaitSeconds, config.matchTimeoutMs)),
  }
}
