import { HOUR_MS } from '#protocol/durations.ts'
/** What an operator may set of the moderation policy. */
export type ModerationPolicy = {
  /** Sums of report weights; a settled reporter weighs 1. */
  reportsToWarn: number
  reportsToSuspend: number
  /** Age of an account, and different people it had a kept call with in the last 30 days, from which on it is settled. */
  standingDays: number
  standingCalls: number
  windowDays: number
  /** How long a warning stands. */
  warningDays: number
  /** Certain findings of the classifier within the window that suspend somebody. */
  flagsToSuspend: number
  flagWindowHours: number
  /** From this certainty on, 0 to 1, a finding counts. */
  flagScore: number
  /** How long traces of somebody who was blocked say anything of others. */
  riskSignalDays: number
}

/** A call that lasted so long, and in which both sides saw each other, is a kept one. */
export const KEPT_CALL_MS = 60_000

export function flagWindowMs(policy: ModerationPolicy): number {
  return policy.flagWindowHours * HOUR_MS
}
