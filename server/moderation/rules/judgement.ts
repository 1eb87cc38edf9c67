import type { BlockStatus } from '#protocol/fields.ts'
import type { Cause, Rule } from '#protocol/moderation.ts'
import type { ModerationPolicy } from './policy.ts'
import type { ActorKind, ReportFacts } from './ports.ts'
import { weighCase } from './report-weight.ts'
import { lowered } from './risk.ts'

/** Everything that the policy looks at, about one person. */
export type Suspicion = { reports: readonly ReportFacts[]; findings: number; risk: number }

/** A step that somebody or something wants to be taken. */
export type Step = { to: BlockStatus; by: ActorKind; what: Cause; rule: Rule; reason: string }

/** Share of what suspends that reporters with standing must weigh by themselves. */
const STANDING_PART = 0.5

/** Sums of fractions that make a whole must not fall short of it. */
const ROUNDING = 1e-9

/**
 * What follows by itself from what is known: nothing, a warning, or a suspension until a person has looked. Never softer than
 * the status is, and nothing for somebody about whom moderators decide already.
 */
export function judge(status: BlockStatus, suspicion: Suspicion, policy: ModerationPolicy): Step | null {
  if (status !== 'Valid' && status !== 'Warning') return null
  const { reports, findings, risk } = suspicion
  if (findings > 0 && findings + ROUNDING >= lowered(policy.flagsToSuspend, risk))
    return {
      to: 'Appeal',
      by: 'classifier',
      what: 'frames',
      rule: 'no-explicit-content',
      reason: `${findings} pictures were found explicit`,
    }
  const { warn, suspend, standing } = weighCase(reports, policy)
  const reached = (weight: number, threshold: number) => weight > 0 && weight + ROUNDING >= lowered(threshold, risk)
  const step = (to: BlockStatus, weight: number): Step => ({
    to,
    by: 'policy',
    what: 'reports',
    rule: 'guidelines',
    reason: `Reports weigh ${weight.toFixed(2)}`,
  })
  const { reportsToSuspend, reportsToWarn } = policy
  if (reached(suspend, reportsToSuspend) && reached(standing, reportsToSuspend * STANDING_PART))
    return step('Appeal', suspend)
  return status === 'Valid' && reached(warn, reportsToWarn) ? step('Warning', warn) : null
}
