import { HOUR_MS } from '#protocol/durations.ts'

/** The moderation policy's settings. */
export type ModerationPolicy = {
  /** Least sums of report weights for a warning and for a suspension; a report of a settled reporter weighs 1. */
  reportsToWarn: number
  reportsToSuspend: number
  /** A reporter is settled from this age of the account on, with kept calls with this many users in the last 30 days. */
  standingDays: number
  standingCalls: number
  windowDays: number
  /** Days for which a warning lasts. */
  warningDays: number
  /** Number of findings within the window that suspends a user. */
  flagsToSuspend: number
  flagWindowHours: number
  /** Least score, from 0 to 1, of a finding that counts. */
  flagScore: number
  /** Days for which risk signals of a blocked user are kept. */
  riskSignalDays: number
}

export function flagWindowMs(policy: ModerationPolicy): number {
  return policy.flagWindowHours * HOUR_MS
}
