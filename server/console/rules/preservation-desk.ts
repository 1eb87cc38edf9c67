import type { ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { Preservation } from '#protocol/console-preservations.ts'
import { AppError } from '#protocol/errors.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import type { EvidenceRecords } from '../../moderation/rules/evidence-ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { PRESERVED_MS } from '../../privacy/rules/retention.ts'
import type { ConsoleCaller, RecordAction } from './ports.ts'
import type {
  CaseCopy,
  CaseFacts,
  CaseFactsRecords,
  PreservationRow,
  Preservations,
  PreservationVault,
  SealedPreservation,
} from './preservation-ports.ts'
import { preservationReport } from './preservation-report.ts'

const SHOWN_MAX = 100

type Deps = {
  records: Preservations
  facts: CaseFactsRecords
  evidence: Pick<Evidence, 'read'> & Pick<EvidenceRecords, 'list'>
  vault: PreservationVault
  record: RecordAction
  clock: Pick<Clock, 'now'>
  newId: () => string
  newReceipt: () => string
}

/** Returns the row as moderators see it. */
function shown({ keptFrom, ...row }: PreservationRow): Preservation {
  return { ...row, endsAt: keptFrom + PRESERVED_MS }
}

function rowOf({ keyId, sealed, ...row }: SealedPreservation): PreservationRow {
  return row
}

/** Returns the time of the newest picture, else of the newest report, else of the newest finding; `now` if there is none. */
function incidentAt(pictures: CaseCopy['pictures'], { reports, findings }: CaseFacts, now: number): number {
  return [pictures, reports, findings].find((list) => list.length > 0)?.at(-1)?.at ?? now
}

type CopyDeps = Pick<Deps, 'facts' | 'evidence' | 'vault'>

async function picturesOf(caseId: string, { evidence, vault }: CopyDeps): Promise<CaseCopy['pictures']> {
  const pictures: CaseCopy['pictures'] = []
  for (const { id, kind, uploader, reporter, session, at, sha256 } of await evidence.list({ subject: caseId })) {
    const found = await evidence.read(id)
    // The picture was deleted after the list was read.
    if (!found) continue
    const jpeg = found.jpeg && vault.base64Of(found.jpeg)
    pictures.push({ id, kind, uploader, reporter, session, at, sha256: vault.hexOf(sha256), jpeg })
  }
  return pictures
}

/** Copies everything about a case. Rejects with `not-found` if there is no such case. */
async function copyCase(input: ConsoleInput<'preserveCase'>, at: number, deps: CopyDeps): Promise<CaseCopy> {
  const { caseId, incidentType, seen } = input
  const pictures = await picturesOf(caseId, deps)
  const found = await deps.facts.copy(caseId, [...new Set(pictures.map(({ uploader }) => uploader))])
  if (!found) throw new AppError('not-found', 'There is no such case')
  return { ...found, caseId, incidentType, incidentAt: incidentAt(pictures, found, at), seen, pictures }
}

/** Preservations of apparent child abuse for the authorities. Each action is written to the audit before its result is returned. */
export function createPreservationDesk(deps: Deps) {
  const { records, vault, clock, newId, newReceipt } = deps

  function record(caller: ConsoleCaller, action: string, { caseId, receipt }: PreservationRow): Promise<void> {
    return deps.record(caller, action, receipt, caseId)
  }

  async function find(id: string): Promise<SealedPreservation> {
    const found = await records.find(id)
    if (!found) throw new AppError('not-found', 'There is no such preservation')
    return found
  }

  function open(found: SealedPreservation): CaseCopy {
    const copy = vault.open(found)
    if (!copy) throw new AppError('wrong-state', 'The copy cannot be decrypted: its key is missing, or it was changed')
    return copy
  }

  return {
    async list(): Promise<ConsoleEndpointOutput<'readPreservations'>> {
      return { preservations: (await records.latest(SHOWN_MAX)).map(shown) }
    },

    /** Rejects with `not-found` if there is no such case. */
    async preserve(caller: ConsoleCaller, input: ConsoleInput<'preserveCase'>): Promise<Preservation> {
      const [id, at, receipt] = [newId(), clock.now(), newReceipt()]
      const copy = await copyCase(input, at, deps)
      const { caseId, incidentType } = input
      const unconfirmed = { confirmedBy: null, confirmedAt: null }
      const unsent = { authority: null, authorityReference: null, sentBy: null, sentAt: null }
      const opened = { openedBy: caller.name, openedAt: at, keptFrom: at }
      const row = { id, receipt, caseId, incidentType, ...opened, ...unconfirmed, ...unsent }
      await record(caller, 'preservation-made', row)
      await records.add({ ...row, ...vault.seal(id, copy) })
      return shown(row)
    },

    async open(caller: ConsoleCaller, id: string): Promise<ConsoleEndpointOutput<'openPreservation'>> {
      const found = await find(id)
      const { incidentAt: happenedAt, seen, people, reports, pictures } = open(found)
      await record(caller, 'preservation-opened', found)
      return {
        ...shown(rowOf(found)),
        incidentAt: happenedAt,
        seen,
        people: people.length,
        reports: reports.map(({ at, reason, note, session }) => ({ at, reason, note, session })),
        pictures: pictures.map(({ id: picture, kind, at, sha256, jpeg }) => ({ id: picture, kind, at, sha256, jpeg })),
      }
    },

    /** Rejects with `wrong-state` for the moderator who opened the preservation, and if the preservation is confirmed. */
    async judge(caller: ConsoleCaller, input: ConsoleInput<'judgePreservation'>): Promise<Preservation | null> {
      const { id, isRight } = input
      const found = await find(id)
      if (found.openedBy === caller.name) throw new AppError('wrong-state', 'Another moderator must confirm it')
      if (found.confirmedAt !== null) throw new AppError('wrong-state', 'It is confirmed')
      await record(caller, isRight ? 'preservation-confirmed' : 'preservation-refused', found)
      const at = clock.now()
      const isDone = isRight ? await records.confirm(id, caller.name, at) : await records.refuse(id, caller.name)
      if (!isDone) {
        await record(caller, 'preservation-judged-too-late', found)
        throw new AppError('wrong-state', 'Somebody else has just judged it')
      }
      return isRight ? shown(rowOf(await find(id))) : null
    },

    /** Rejects with `wrong-state` until a second moderator has confirmed the preservation. */
    async export(caller: ConsoleCaller, id: string): Promise<ConsoleEndpointOutput<'exportPreservation'>> {
      const found = await find(id)
      if (found.confirmedAt === null) throw new AppError('wrong-state', 'A second moderator has not confirmed it')
      const report = preservationReport(rowOf(found), open(found))
      await record(caller, 'preservation-exported', found)
      return { report }
    },

    /** Rejects with `wrong-state` unless the preservation is confirmed and not yet recorded as sent. The year of retention begins anew. */
    async setSent(caller: ConsoleCaller, input: ConsoleInput<'recordPreservationSent'>): Promise<Preservation> {
      const { id, authority, authorityReference } = input
      const found = await find(id)
      await record(caller, 'preservation-sent', found)
      const sent = { authority, authorityReference, sentBy: caller.name, sentAt: clock.now() }
      if (!(await records.setSent(id, sent))) {
        await record(caller, 'preservation-sent-refused', found)
        throw new AppError('wrong-state', 'It is not confirmed, or was entered before')
      }
      return shown(rowOf(await find(id)))
    },
  }
}
