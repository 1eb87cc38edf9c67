import * as v from 'valibot'
import { LATE_REPORT_MS } from '#protocol/constants.ts'
import { type ErrorCode, toAppError } from '#protocol/errors.ts'
import { reportTypeSchema } from '#protocol/hub.ts'
import { listOf, parse } from '#protocol/parse.ts'
import { reportDetailsSchema } from '#protocol/reports.ts'
import { STORED_MS, within } from '../../platform/rules/within.ts'
import type { CallStores } from '../use-call.ts'
import type { CallPorts } from './effect-handlers.ts'
import type { PendingInvocations } from './pending-invocations.ts'

const STORAGE_KEY = 'pendingReports'
/** Most reports that are kept, far more than a user makes before the hub is back. */
const REPORTS_MAX = 100
/** Pause before a report is sent again after an error that did not end the connection. */
const RETRY_MS = 10_000

/** A report that the hub has not acknowledged. `at`: time of the report. `email`: the reporter. */
const reportSchema = v.object({
  email: v.string(),
  matchId: v.string(),
  peerConnectionId: v.string(),
  report: reportTypeSchema,
  /** Absent in reports that an older page stored. Unknown details are dropped; the report still counts. */
  details: v.fallback(v.optional(reportDetailsSchema), undefined),
  at: v.number(),
})
type PendingReport = v.InferOutput<typeof reportSchema>
const storedSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), listOf(reportSchema, REPORTS_MAX)),
  (): PendingReport[] => [],
)

/** Error codes with which the hub refuses a report for good. */
const refusals: ReadonlySet<ErrorCode> = new Set(['not-in-match', 'bad-request', 'forbidden', 'not-found', 'blocked'])

type Ports = Pick<CallPorts, 'clock' | 'log' | 'hub' | 'storage'>

export type PendingReports = ReturnType<typeof createPendingReports>

/**
 * Keeps each report in the browser's storage until the hub has acknowledged it, even beyond the visit. Sends a report
 * only while its reporter is signed in. The hub accepts one report of a user in a match, so a repetition does no harm.
 */
export function createPendingReports(
  { clock, log, hub, storage }: Ports,
  pending: PendingInvocations,
  { account, hub: hubStore, toasts }: Pick<CallStores, 'account' | 'hub' | 'toasts'>,
) {
  let reports: PendingReport[] = []
  /** Match ids of the reports that are sent and not completed by the hub. */
  const sent = new Set<string>()
  let restoring: Promise<void> | null = null
  let cancelRetry = () => {}

  function keep(next: PendingReport[]): void {
    reports = next
    storage.set(STORAGE_KEY, JSON.stringify(next)).catch((thrown: unknown) => {
      log.error('The pending reports were not stored', thrown)
    })
  }

  const isSendable = ({ email, at }: PendingReport) =>
    email === account.email.peek() && clock.now() - at <= LATE_REPORT_MS

  /** Removes the report. Returns false if there is none for the match. */
  function remove(matchId: string): boolean {
    const others = reports.filter((report) => report.matchId !== matchId)
    if (others.length === reports.length) return false
    keep(others)
    return true
  }

  function taken(matchId: string): void {
    if (remove(matchId)) toasts.show('toasts.report-taken')
  }

  function failed(matchId: string, thrown: unknown): void {
    const { code } = toAppError(thrown)
    if (code === 'aborted') return
    // The hub already has the report: the completion of an earlier attempt was lost.
    if (code === 'wrong-state') {
      taken(matchId)
      return
    }
    log.error('HandleReportedUser was refused', thrown)
    if (!refusals.has(code)) {
      cancelRetry()
      cancelRetry = clock.after(RETRY_MS, sendAll)
    } else if (remove(matchId)) toasts.show('toasts.report-failed')
  }

  function send({ matchId, peerConnectionId, report, details }: PendingReport): void {
    sent.add(matchId)
    pending
      .invoke('HandleReportedUser', 'visit', () => {
        const args = [hub.connectionId(), peerConnectionId, report, matchId] as const
        return details ? [...args, details] : [...args]
      })
      .finally(() => sent.delete(matchId))
      .then(
        () => taken(matchId),
        (thrown: unknown) => failed(matchId, thrown),
      )
  }

  /** Drops reports that are too old or belong to another user, and sends the others that are not yet sent. */
  function sendAll(): void {
    if (!reports.every(isSendable)) keep(reports.filter(isSendable))
    for (const report of reports) if (!sent.has(report.matchId)) send(report)
  }

  async function readStored(): Promise<void> {
    const stored = parse(storedSchema, await storage.get(STORAGE_KEY))
    reports = [...stored.filter(({ matchId }) => reports.every((report) => report.matchId !== matchId)), ...reports]
  }

  return {
    add(made: Pick<PendingReport, 'matchId' | 'peerConnectionId' | 'report' | 'details'>): void {
      keep([...reports, { ...made, email: account.email.peek(), at: clock.now() }])
      sendAll()
      if (hubStore.state.peek() !== 'connected') toasts.show('toasts.report-waiting')
    },

    /** Resolves when the reports of earlier visits are sent, or wait for the hub. Never rejects. */
    async resume(): Promise<void> {
      restoring ??= readStored()
      await within(clock, STORED_MS, restoring, undefined)
      sendAll()
    },

    sendAll,

    /** The hub has stored the report. */
    taken,

    stop: () => cancelRetry(),
  }
}
