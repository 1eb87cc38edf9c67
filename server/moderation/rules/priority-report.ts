import { isOneOf } from '#protocol/checks.ts'
import { priorityReasonSchema, priorityReviewMs } from '#protocol/reports.ts'
import type { ClockRecord, Report } from './ports.ts'
import { isCredible, isSettled, type StandingTerms } from './report-weight.ts'

export const isPriorityReason = isOneOf(priorityReasonSchema.options)

/** Most clocks within 24 hours that one unsettled reporter starts, and that all unsettled reporters of one network start. */
const NEWCOMER_CLOCKS_A_DAY = 1
const NETWORK_CLOCKS_A_DAY = 3

/**
 * Returns when a moderator must have decided; null for a report without a deadline of its own, which waits in the queue
 * as all other cases do. These are reports without a priority reason or without a call, by a reporter who is not
 * credible, and by an unsettled reporter who, alone or with others of the network, has started the most clocks.
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
