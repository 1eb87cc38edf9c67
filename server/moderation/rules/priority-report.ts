import { isOneOf } from '#protocol/checks.ts'
import { priorityReasonSchema, priorityReviewMs } from '#protocol/reports.ts'
import type { Report, ReporterRecord } from './ports.ts'
import { isCredible } from './report-weight.ts'

export const isPriorityReason = isOneOf(priorityReasonSchema.options)

/**
 * Returns when a moderator must have decided about the report; null for a report without a deadline of its own. A report of
 * somebody who was repeatedly wrong, or who reports all day, gets none: it waits in the queue with its reason, as any other.
 */
export function dueAtOf({ details, at }: Pick<Report, 'details' | 'at'>, record: ReporterRecord): number | null {
  const reason = details?.reason
  return reason !== undefined && isPriorityReason(reason) && isCredible(record) ? at + priorityReviewMs[reason] : null
}
