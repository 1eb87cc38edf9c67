import type { Clock } from '../../platform/rules/clock.ts'
import type {
  EvidenceFacts,
  EvidenceRecords,
  EvidenceVault,
  KeepFlagged,
  ReportKey,
  SealedEvidence,
} from './evidence-ports.ts'

/** Time for which a picture waits for its report, and for which a report waits for its pictures after the match. */
const LINK_MS = 2 * 60_000

export type Evidence = {
  keepFlagged: KeepFlagged
  /** Stores the picture that a browser sends with a report. Picture and report may arrive in either order. */
  addUpload(upload: { uploader: string; userSession: string; jpeg: Uint8Array; print: string | null }): Promise<void>
  /** Links pictures that arrived earlier to a report that has just been recorded. */
  linkReport(report: ReportKey): Promise<void>
  /** Resolves with facts and picture; `jpeg` is null when either does not match the signature. Resolves with null when there is no such evidence. */
  read(id: string): Promise<{ facts: EvidenceFacts; jpeg: Uint8Array | null } | null>
  /** Deletes pictures that waited in vain, and schedules the next sweep while others wait. */
  sweep(): Promise<void>
  stop(): void
}

/** The reporter's browser sends the remote picture, the reported user's browser its own camera. */
function linkedFacts(
  report: ReportKey,
  uploader: string,
): Pick<EvidenceFacts, 'kind' | 'subject' | 'session' | 'reporter'> {
  const { session, reporter, reported } = report
  return { kind: uploader === reporter ? 'reporters-view' : 'own-camera', subject: reported, session, reporter }
}

export function createEvidence(deps: {
  records: EvidenceRecords
  vault: EvidenceVault
  clock: Clock
  newId: () => string
  /** Runs work without waiting for it. Its failure is logged under `what`. */
  runInBackground: (what: string, work: Promise<unknown>) => void
}): Evidence {
  const { records, vault, clock, newId, runInBackground } = deps
  let cancelSweep: (() => void) | null = null
  let stopped = false

  function sweepAt(at: number): void {
    if (stopped || cancelSweep) return
    cancelSweep = clock.after(Math.max(0, at - clock.now()), () => {
      cancelSweep = null
      runInBackground('evidence: pictures without a report were not deleted', evidence.sweep())
    })
  }

  async function link(waiting: SealedEvidence, report: ReportKey): Promise<void> {
    const linked = vault.amend(waiting, linkedFacts(report, waiting.uploader))
    if (linked) await records.link(linked)
  }

  const evidence: Evidence = {
    async keepFlagged(accountId, pictures) {
      const about = { uploader: accountId, subject: accountId, session: null, reporter: null, print: null }
      for (const { userSession, jpeg, at } of pictures)
        await records.add(vault.seal({ id: newId(), kind: 'flagged', ...about, userSession, at }, jpeg))
    },

    async addUpload({ uploader, userSession, jpeg, print }) {
      const at = clock.now()
      const since = at - LINK_MS
      const session = await records.findLastMatch(uploader, since)
      // Without a match the picture can belong to no report.
      if (session === null) return
      const about = { uploader, subject: uploader, session, reporter: null, print }
      const waiting = vault.seal({ id: newId(), kind: 'waiting', ...about, userSession, at }, jpeg)
      const earlier = await records.waitingIn(session)
      if (earlier.some((one) => one.uploader === uploader)) return
      await records.add(waiting)
      sweepAt(at + LINK_MS)
      // After the picture is stored: of a concurrent report, either this read finds the report or `linkReport` finds the picture.
      const report = await records.findReportWithoutPicture(uploader, since)
      if (report) await link(waiting, report)
    },

    async linkReport(report) {
      for (const waiting of await records.waitingIn(report.session)) await link(waiting, report)
    },

    async read(id) {
      const found = await records.find(id)
      if (!found) return null
      const { keyId, signature, sealed, ...facts } = found
      return { facts, jpeg: vault.open(found) }
    },

    async sweep() {
      // The next sweep is scheduled after a failure too.
      let oldest: number | null = clock.now()
      try {
        await records.deleteWaiting(clock.now() - LINK_MS)
        oldest = await records.oldestWaiting()
      } finally {
        if (oldest !== null) sweepAt(oldest + LINK_MS)
      }
    },

    stop() {
      stopped = true
      cancelSweep?.()
    },
  }
  return evidence
}
