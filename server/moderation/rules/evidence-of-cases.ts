import type { BlockStatus } from '#protocol/block-status.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceRecords } from './evidence-ports.ts'
import type { Moderation } from './moderation.ts'

/** True if a user may appeal against `status`, which a verdict has set: the appeal is reviewed with the same evidence. */
function needsEvidence(status: BlockStatus): boolean {
  return status === 'Appeal'
}

/** Adds evidence to moderation: pictures are linked to a first report, and deleted after a verdict unless it suspends. */
export function withEvidence(
  moderation: Moderation,
  deps: {
    evidence: Pick<Evidence, 'linkReport'>
    records: Pick<EvidenceRecords, 'deleteFor'>
    /** Runs work without waiting for it. Its failure is logged under `what`. */
    runInBackground: (what: string, work: Promise<unknown>) => void
  },
): Moderation {
  const { evidence, records, runInBackground } = deps
  return {
    ...moderation,
    async recordReport(report) {
      const isFirst = await moderation.recordReport(report)
      if (isFirst) runInBackground('evidence: a report was not linked to its pictures', evidence.linkReport(report))
      return isFirst
    },
    async decide(accountId, decision) {
      const status = await moderation.decide(accountId, decision)
      if (!needsEvidence(status))
        runInBackground('evidence: not deleted after a verdict', records.deleteFor({ subject: accountId }))
      return status
    },
  }
}
