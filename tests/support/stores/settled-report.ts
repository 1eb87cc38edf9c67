import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'

/** Returns the facts of a settled reporter's report. Reporters of different names share neither network nor batch. */
export function settledReport(reporter: string, given: Partial<ReportFacts> = {}): ReportFacts {
  const at = given.at ?? 1_000 * DAY_MS
  // Spreads the hours of creation by name, so that the accounts are of different batches.
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
