import { readConfig } from '../../../server/config/config.ts'
import { judge } from '../../../server/moderation/rules/judgement.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'
import { urgentSince } from '../../../server/moderation/rules/report-weight.ts'

export const { moderation: policy } = readConfig({})

export type Ruling = { status: 'Valid' | 'Warning' | 'Appeal'; urgent: boolean }
export type RuleOf = (reports: readonly ReportFacts[]) => Ruling

export const nowRule: RuleOf = (reports) => {
  const to = judge('Valid', { reports, findings: 0, risk: 0 }, policy)?.to
  const status = to === 'Appeal' || to === 'Warning' ? to : 'Valid'
  return { status, urgent: status !== 'Appeal' && urgentSince(reports, policy.reportsToSuspend) !== null }
}

/**
 * The rule of the earlier version. A report in return had no weight. A call was unconfirmed if either side had not confirmed it. Any first
 * report of a day could pause somebody. The caller gives kept calls and credit as that version counted them.
 */
export const ruleBefore: RuleOf = (reports) =>
  nowRule(
    reports.map((report) => {
      const confirmed = report.reporterSaw && report.reportedSaw
      const limits = { minorsWrong: 0, minorsWaiting: 0, minorsOfNetwork: 0 }
      return { ...report, ...limits, outweighed: report.retaliation, reporterSaw: confirmed, reportedSaw: confirmed }
    }),
  )
