import type { Clock } from '../../platform/rules/clock.ts'
import type {
  EvidenceFacts,
  EvidenceRecords,
  EvidenceVault,
  FlaggedPicture,
  ReportKey,
  SealedEvidence,
} from './evidence-ports.ts'
import type { Moderation } from './moderation.ts'

/** Longest time between a picture and its report, and between the end of the match and a picture. */
const LINK_MS = 2 * 60_000

type Deps = {
  records: EvidenceRecords
  vault: EvidenceVault
  clock: Clock
  newId: () => string
  /** Runs work without waiting for it. Its failure is logged under `what`. */
  runInBackground: (what: string, work: Promise<unknown>) => void
}

type Upload = { uploader: string; userSession: string; jpeg: Uint8Array; print: string | null }

export type Evidence = ReturnType<typeof createEvidence>

/** Stores pictures that are kept as evidence, links them to their reports, and reads them. */
export function createEvidence(deps: Deps) {
  const { records, vault, clock, newId, runInBackground } = deps
  let cancelSweep: (() => void) | null = null
  let stopped = false

  function sweepAt(at: number): void {
    if (stopped || cancelSweep) return
    cancelSweep = clock.after(Math.max(0, at - clock.now()), () => {
      cancelSweep = null
      runInBackground('evidence: pictures without a report were not deleted', sweep())
    })
  }

  /** Deletes pictures whose report did not come in time, and schedules the next sweep while others wait. */
  async function sweep(): Promise<void> {
    // Kept if the sweep fails, so that the next sweep is scheduled all the same.
    let oldest: number | null = clock.now()
    try {
      await records.deleteWaiting(clock.now() - LINK_MS)
      oldest = await records.oldestWaiting()
    } finally {
      if (oldest !== null) sweepAt(oldest + LINK_MS)
    }
  }

  async function link(waiting: SealedEvidence, report: ReportKey): Promise<void> {
    const { session, reporter, reported: subject } = report
    // The reporter's browser sends the remote picture, the reported user's browser its own camera.
    const kind = waiting.uploader === reporter ? 'reporters-view' : 'own-camera'
    const linked = vault.amend(waiting, { kind, subject, session, reporter })
    if (linked) await records.link(linked)
  }

  return {
    async keepFlagged(accountId: string, pictures: readonly FlaggedPicture[]): Promise<void> {
      const about = { uploader: accountId, subject: accountId, session: null, reporter: null, print: null }
      for (const { userSession, jpeg, at } of pictures)
        await records.add(vault.seal({ id: newId(), kind: 'flagged', ...about, userSession, at }, jpeg))
    },

    /** Stores the picture that a browser sends with a report. Picture and report may arrive in either order. */
    async addUpload({ uploader, userSession, jpeg, print }: Upload): Promise<void> {
      const at = clock.now()
      const since = at - LINK_MS
      const session = await records.findLastMatch(uploader, since)
      // A picture without a match can belong to no report.
      if (session === null) return
      const about = { uploader, subject: uploader, session, reporter: null, print }
      const waiting = vault.seal({ id: newId(), kind: 'waiting', ...about, userSession, at }, jpeg)
      const earlier = await records.waitingIn(session)
      if (earlier.some((one) => one.uploader === uploader)) return
      await records.add(waiting)
      sweepAt(at + LINK_MS)
      // Read after the picture is stored: of a report at the same time, either this read finds the report or
      // `linkReport` finds the picture.
      const report = await records.findReportWithoutPicture(uploader, since)
      if (report) await link(waiting, report)
    },

    /** Links pictures that arrived earlier to a report that has just been recorded. */
    async linkReport(report: ReportKey): Promise<void> {
      for (const waiting of await records.waitingIn(report.session)) await link(waiting, report)
    },

    /** Resolves with facts and picture, null for an unknown id. `jpeg` is null when facts or picture do not match the signature. */
    async read(id: string): Promise<{ facts: EvidenceFacts; jpeg: Uint8Array | null } | null> {
      const found = await records.find(id)
      if (!found) return null
      const { keyId, signature, sealed, ...facts } = found
      return { facts, jpeg: vault.open(found) }
    },

    sweep,

    stop(): void {
      stopped = true
      cancelSweep?.()
    },
  }
}

type LinkDeps = Pick<Deps, 'runInBackground'> & {
  evidence: Pick<Evidence, 'linkReport'>
  records: Pick<EvidenceRecords, 'deleteFor'>
}

/**
 * Adds evidence to moderation: pictures are linked to a user's first report in a match, and deleted after a verdict
 * unless the verdict suspends.
 */
export function withEvidence(moderation: Moderation, { evidence, records, runInBackground }: LinkDeps): Moderation {
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
