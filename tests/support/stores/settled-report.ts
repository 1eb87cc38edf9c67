import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'

/** Returns the facts of a report by a settled reporter who shares neither network nor device with reporters of another name. */
export function settledReport(reporter: string, given: Partial<ReportFacts> = {}): ReportFacts {
  const at = given.at ?? 1_000 * DAY_MS
  // Each name has another hour of creation, as unrelated accounts have.
  const hours = [...reporter].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 5_000, 7)
  return {
    reporter,
    reason: null,
    at,
    callMs: 60_000,
    reporterSaw: true,
    reportedSaw: true,
    retaliation: false,
    outweighed: false,
    credit: 0,
    dismissed: 0,
    provider: 'Google',
    reporterSince: at - 100 * DAY_MS - hours * HOUR_MS,
    keptCalls: 100,
    earlierToday: 0,
    minorsWrong: 0,
    minorsWaiting: 0,
    minorsOfNetwork: 0,
    network: `network of ${reporter}`,
    device: 'a desktop with Chrome',
    ...given,
  }
}
