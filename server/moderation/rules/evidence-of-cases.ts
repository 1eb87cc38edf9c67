import type { BlockStatus } from '#protocol/fields.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceRecords } from './evidence-ports.ts'
import type { Moderation } from './moderation.ts'

/**
 * True for a verdict after which the evidence is still needed: a suspension can be appealed against, and is then reviewed with the same
 * evidence. `status` is the one that the verdict has set.
 */
export function needsEvidence(status: BlockStatus): boolean {
  return status === 'Appeal'
}

/** Adds what becomes of evidence: a first report receives its pictures, and a verdict deletes them unless it suspends. */
export function withEvidence(
  moderation: Moderation,
  deps: {
    evidence: Pick<Evidence, 'reportMade'>
    records: Pick<EvidenceRecords, 'dropFor'>
    /** Runs work that the caller does not wait for; a fault in it is logged. */
    beside: (what: string, work: Promise<unknown>) => void
  },
): Moderation {
  const { evidence, records, beside } = deps
  return {
    ...moderation,
    async takeReport(report) {
      const isFirst = await moderation.takeReport(report)
      if (isFirst) beside('evidence: a report was not linked to its pictures', evidence.reportMade(report))
      return isFirst
    },
    async decide(accountId, decision) {
      const status = await moderation.decide(accountId, decision)
      if (!needsEvidence(status))
        beside('evidence: not deleted after a verdict', records.dropFor({ subject: accountId }))
      return status
    },
  }
}
