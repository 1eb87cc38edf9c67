import type { Case, CaseSummary } from '#protocol/console.ts'
import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import type { OwnProfile } from '../../accounts/rules/profile-ports.ts'
import type { FrameSignal } from '../../frames/rules/ports.ts'
import type { EvidenceFacts } from '../../moderation/rules/evidence-ports.ts'
import { agreementOf } from '../../moderation/rules/picture-agreement.ts'
import type { ModerationPolicy } from '../../moderation/rules/policy.ts'
import type { RiskMatch, StatusChange } from '../../moderation/rules/ports.ts'
import { hasStanding, reportWeight } from '../../moderation/rules/report-weight.ts'
import { riskScore } from '../../moderation/rules/risk.ts'
import { isForBirthAlone, mayChange } from '../../moderation/rules/status-table.ts'
import { statusAfterVerdict } from '../../moderation/rules/verdict.ts'
import type { OpenCase } from './case-queue.ts'
import type { CaseReport } from './ports.ts'

/** Length of the case-id prefix that stands for a user on screen. */
const ALIAS_LENGTH = 8

/** The result of one read of a case; `versionOf` computes the version of the case from it. */
export type CaseSnapshot = {
  open: OpenCase
  summary: CaseSummary
  history: StatusChange[]
  decided: number
  createdAt: number
}

type CaseDetails = {
  profile: OwnProfile | null
  reports: readonly CaseReport[]
  foundFrames: Case['foundFrames']
  matches: RiskMatch[]
  pictures: readonly EvidenceFacts[]
  liveness: readonly FrameSignal[]
}

export function versionOf({ decided, history, open: { reports, findings } }: CaseSnapshot): string {
  // Part of the version, since a deleted report and a new one together leave the number of reports unchanged.
  const newestAt = Math.max(0, ...reports.map(({ at }) => at))
  return [decided, history.length, reports.length, newestAt, findings.count].join('.')
}

/** Returns the verdicts that a moderator may give in the present state of the case. */
export function verdictsFor({ summary: { status, kinds }, history }: CaseSnapshot): Verdict[] {
  const lastChange = history[0] ?? null
  return verdictSchema.options.filter((verdict) => {
    const to = statusAfterVerdict(verdict, status, lastChange)
    if (to === null) return false
    if (verdict === 'dismiss' && kinds.length === 0) return false
    return (to === status && verdict === 'dismiss') || mayChange(status, to, 'moderator', lastChange?.rule ?? null)
  })
}

function shownReport(
  report: CaseReport,
  policy: ModerationPolicy,
  pictures: readonly EvidenceFacts[],
): Case['openReports'][number] {
  // Network and device are left out: digests mean nothing to moderators.
  const { reporter, network, device, provider, ...facts } = report
  return {
    ...facts,
    reporter: reporter.slice(0, ALIAS_LENGTH),
    reporterCase: reporter,
    weight: reportWeight(report, policy),
    standing: hasStanding(report, policy),
    agreement: agreementOf(pictures, { session: report.session, reporter }),
    sentOwnCamera: pictures.some(
      (one) => one.kind === 'own-camera' && one.session === report.session && one.reporter === reporter,
    ),
  }
}

function shownEvidence({ id, kind, session, reporter, at }: EvidenceFacts): Case['evidence'] {
  if (kind === 'waiting') return []
  return [{ id, kind, session, reporter: reporter?.slice(0, ALIAS_LENGTH) ?? null, at }]
}

function shownChange({ by, from, to, what, rule, reason, at, until }: StatusChange): Case['history'][number] {
  return { from, to, by: by.kind, moderator: by.kind === 'moderator' ? by.id : null, what, rule, reason, at, until }
}

export function shownCase(
  snapshot: CaseSnapshot,
  { profile, reports, foundFrames, matches, pictures, liveness }: CaseDetails,
  policy: ModerationPolicy,
): Case {
  const { summary, open, history, createdAt } = snapshot
  const shown = (report: CaseReport) => shownReport(report, policy, pictures)
  return {
    ...summary,
    until: open.statusUntil,
    version: versionOf(snapshot),
    verdicts: verdictsFor(snapshot),
    createdAt,
    dateOfBirth: profile?.dateOfBirth ?? null,
    history: history.map(shownChange),
    earlier: open.earlier,
    openReports: reports.filter(({ outcome }) => outcome === null).map(shown),
    closedReports: reports.filter(({ outcome }) => outcome !== null).map(shown),
    foundFrames,
    evidence: pictures.flatMap(shownEvidence),
    isBlockedForBirth: isForBirthAlone(history[0] ?? null),
    liveness: liveness.map(({ accountId, ...signal }) => signal),
    risk: { score: riskScore(matches), matches },
  }
}
