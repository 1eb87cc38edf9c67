import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import type { Cause, Rule } from '#protocol/moderation.ts'
import type { ModerationPolicy } from './policy.ts'
import type { ActorKind, ReportFacts } from './ports.ts'
import { pausesMatching, weighCase } from './report-weight.ts'
import { lowered } from './risk.ts'

export type Suspicion = { reports: readonly ReportFacts[]; findings: number; risk: number }

export type Transition = { to: BlockStatus; by: ActorKind; what: Cause; rule: Rule; reason: string }

/** Share of the suspension threshold that reports with standing must reach alone. */
const STANDING_SHARE = 0.5

/** Tolerance for sums of fractions that should equal a threshold. */
const ROUNDING = 1e-9

/**
 * Returns a warning, a suspension until a moderator has reviewed it, or null. Null also for any status but Valid and
 * Warning: moderators already have the case.
 */
export function judge(status: BlockStatus, suspicion: Suspicion, policy: ModerationPolicy): Transition | null {
  if (!mayChat(status)) return null
  const { reports, findings, risk } = suspicion
  const reached = (weight: number, threshold: number) => weight > 0 && weight + ROUNDING >= lowered(threshold, risk)
  if (reached(findings, policy.flagsToSuspend)) {
    const reason = `${findings} pictures were found explicit`
    return { to: 'Appeal', by: 'classifier', what: 'frames', rule: 'no-explicit-content', reason }
  }
  const { warn, suspend, standing } = weighCase(reports, policy)
  const byReports = { by: 'policy', what: 'reports', rule: 'guidelines' } as const
  const weighing = (weight: number) => `Reports weigh ${weight.toFixed(2)}`
  const { reportsToSuspend, reportsToWarn } = policy
  if (reached(suspend, reportsToSuspend) && reached(standing, reportsToSuspend * STANDING_SHARE))
    return { ...byReports, to: 'Appeal', reason: weighing(suspend) }
  if (reports.some((report) => pausesMatching(report, policy)))
    return { ...byReports, to: 'Appeal', reason: 'A report needs a moderator first' }
  const isWarned = status === 'Valid' && reached(warn, reportsToWarn)
  return isWarned ? { ...byReports, to: 'Warning', reason: weighing(warn) } : null
}
