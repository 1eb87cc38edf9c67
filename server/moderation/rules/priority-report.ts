import { isOneOf } from '#protocol/checks.ts'
import { priorityReasonSchema, priorityReviewMs } from '#protocol/reports.ts'
import type { ClockRecord, Report } from './ports.ts'
import { isCredible, isSettled, type StandingTerms } from './report-weight.ts'

export const isPriorityReason = isOneOf(priorityReasonSchema.options)

/** Clocks that an unsettled reporter starts within 24 hours, and that all such reporters of one network start. */
const NEWCOMER_CLOCKS_A_DAY = 1
const NETWORK_CLOCKS_A_DAY = 3

/**
 * Returns when a moderator must have decided; null for a report without a deadline of its own, which waits in the queue as any other:
 * without a call, or by somebody who was repeatedly wrong, reports all day, or whose network started clocks enough.
 */
export function dueAtOf(
  { details, at, callMs }: Pick<Report, 'details' | 'at' | 'callMs'>,
  record: ClockRecord,
  terms: StandingTerms,
): number | null {
  const reason = details?.reason
  if (reason === undefined || !isPriorityReason(reason) || callMs === null || !isCredible(record)) return null
  const { own, network } = record.clocks
  const isNewcomerTooMany = own >= NEWCOMER_CLOCKS_A_DAY || own + network >= NETWORK_CLOCKS_A_DAY
  return isNewcomerTooMany && !isSettled({ ...record, at }, terms) ? null : at + priorityReviewMs[reason]
}
