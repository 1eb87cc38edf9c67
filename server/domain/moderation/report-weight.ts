import type { ReportFacts } from '../ports.ts'

/** A reporter's word: as many rights and wrongs as these are assumed of somebody of whom nothing is known. */
const ASSUMED = 2
const ACCURACY_FLOOR = 0.25
const ACCURACY_CEILING = 1.5

/** Who shows themself does so at once, so a report in this time weighs more, not less. */
const FIRST_SECONDS_MS = 15_000
const FIRST_SECONDS_WEIGHT = 1.25

/** No single reporter ever weighs as much as two. */
export const MOST_OF_ONE_REPORTER = ACCURACY_CEILING * FIRST_SECONDS_WEIGHT

/** 1 for a newcomer; moderators who found earlier reports right raise it, wrong ones lower it. */
export function accuracyWeight({ upheld, dismissed }: Pick<ReportFacts, 'upheld' | 'dismissed'>): number {
  const share = (upheld + ASSUMED) / (upheld + dismissed + 2 * ASSUMED)
  return Math.min(ACCURACY_CEILING, Math.max(ACCURACY_FLOOR, 2 * share))
}

/** Nobody has seen anything without a call, and an answer to a report is no report. */
export function reportWeight(report: ReportFacts): number {
  if (report.callMs === null || report.retaliation) return 0
  return accuracyWeight(report) * (report.callMs <= FIRST_SECONDS_MS ? FIRST_SECONDS_WEIGHT : 1)
}

/** What the reports weigh together: of each reporter the weightiest alone. */
export function weightOfReports(reports: readonly ReportFacts[]): number {
  const byReporter = new Map<string, number>()
  for (const report of reports)
    byReporter.set(report.reporter, Math.max(byReporter.get(report.reporter) ?? 0, reportWeight(report)))
  return [...byReporter.values()].reduce((sum, weight) => sum + weight, 0)
}
