import type { Clock } from '../../platform/rules/clock.ts'
import type {
  EvidenceFacts,
  EvidenceRecords,
  EvidenceVault,
  KeepFlagged,
  ReportKey,
  SealedEvidence,
} from './evidence-ports.ts'

/** How long a picture waits for its report, and how far back a report or the end of a match may lie. */
const LINK_MS = 2 * 60_000

export type Evidence = {
  keepFlagged: KeepFlagged
  /** Takes the picture that a browser sends with a report, whichever of the two comes first. */
  takeUpload(upload: { uploader: string; userSession: string; jpeg: Uint8Array }): Promise<void>
  /** Gives a report that has just been recorded the pictures that came before it. */
  reportMade(report: ReportKey): Promise<void>
  /** The facts and the picture; its bytes are null where either is not as it was signed, the answer where there is none. */
  read(id: string): Promise<{ facts: EvidenceFacts; jpeg: Uint8Array | null } | null>
  /** Deletes what has waited in vain, now and for as long as something waits. */
  sweep(): Promise<void>
  stop(): void
}

/** The reporter sends what they see of the other; the reported person's browser sends its own camera. */
function placeIn(
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
  /** Work beside everything else; a fault in it is logged. */
  beside: (what: string, work: Promise<unknown>) => void
}): Evidence {
  const { records, vault, clock, newId, beside } = deps
  let cancelSweep: (() => void) | null = null
  let stopped = false

  function sweepAt(at: number): void {
    if (stopped || cancelSweep) return
    cancelSweep = clock.after(Math.max(0, at - clock.now()), () => {
      cancelSweep = null
      beside('evidence without a report could not be deleted', evidence.sweep())
    })
  }

  async function link(waiting: SealedEvidence, report: ReportKey): Promise<void> {
    const linked = vault.amend(waiting, placeIn(report, waiting.uploader))
    if (linked) await records.link(linked)
  }

  const evidence: Evidence = {
    async keepFlagged(accountId, pictures) {
      const who = { uploader: accountId, subject: accountId, session: null, reporter: null }
      for (const { userSession, jpeg, at } of pictures)
        await records.add(vault.close({ id: newId(), kind: 'flagged', ...who, userSession, at }, jpeg))
    },

    async takeUpload({ uploader, userSession, jpeg }) {
      const at = clock.now()
      const since = at - LINK_MS
      const session = await records.lastMatch(uploader, since)
      // Nobody whom it could show.
      if (session === null) return
      const who = { uploader, subject: uploader, session, reporter: null }
      const waiting = vault.close({ id: newId(), kind: 'waiting', ...who, userSession, at }, jpeg)
      const earlier = await records.waitingIn(session)
      if (earlier.some((one) => one.uploader === uploader)) return
      await records.add(waiting)
      sweepAt(at + LINK_MS)
      // Looked for only now, so that a report that is made meanwhile finds the picture or is found.
      const report = await records.reportWithout(uploader, since)
      if (report) await link(waiting, report)
    },

    async reportMade(report) {
      for (const waiting of await records.waitingIn(report.session)) await link(waiting, report)
    },

    async read(id) {
      const found = await records.find(id)
      if (!found) return null
      const { keyId, signature, sealed, ...facts } = found
      return { facts, jpeg: vault.open(found) }
    },

    async sweep() {
      // After a fault too.
      let oldest: number | null = clock.now()
      try {
        await records.dropWaiting(clock.now() - LINK_MS)
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
