import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'

/** The facts of a report of a settled reporter who shares nothing with others of another name. */
export function settledReport(reporter: string, given: Partial<ReportFacts> = {}): ReportFacts {
  const at = given.at ?? 1_000 * DAY_MS
  // Another hour of creation for each name, as of accounts that have nothing to do with each other.
  const hours = [...reporter].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 5_000, 7)
  return {
    reporter,
    at,
    callMs: 60_000,
    reporterSaw: true,
    reportedSaw: true,
    retaliation: false,
    upheld: 0,
    dismissed: 0,
    provider: 'Google',
    reporterSince: at - 100 * DAY_MS - hours * HOUR_MS,
    keptCalls: 100,
    earlierToday: 0,
    network: `network of ${reporter}`,
    device: 'a desktop with Chrome',
    ...given,
  }
}
