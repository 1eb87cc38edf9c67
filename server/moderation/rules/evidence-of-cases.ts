import type { Evidence } from './evidence.ts'
import type { EvidenceRecords } from './evidence-ports.ts'
import type { Moderation } from './moderation.ts'

type Deps = {
  evidence: Pick<Evidence, 'linkReport'>
  records: Pick<EvidenceRecords, 'deleteFor'>
  /** Runs work without waiting for it. Its failure is logged under `what`. */
  runInBackground: (what: string, work: Promise<unknown>) => void
}

/**
 * Adds evidence to moderation: pictures are linked to a user's first report in a match, and deleted after a verdict
 * unless the verdict suspends.
 */
export function withEvidence(moderation: Moderation, { evidence, records, runInBackground }: Deps): Moderation {
  return {
    ...moderation,
    async recordReport(report) {
      const isFirst = await moderation.recordReport(report)
      if (isFirst) runInBackground('evidence: a report was not linked to its pictures', evidence.linkReport(report))
      return isFirst
    },
    async decide(accountId, decision) {
      const status = await moderation.decide(accountId, decision)
      // An appeal against a suspension is reviewed with the same evidence.
      if (status !== 'Appeal')
        runInBackground('evidence: not deleted after a verdict', records.deleteFor({ subject: accountId }))
      return status
    },
  }
}
