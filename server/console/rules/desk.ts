import type { Case, CaseKind, CaseSummary, ConsoleEndpointOutput, ConsoleInput, Statistics } from '#protocol/console.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { type Verdict, verdictSchema } from '#protocol/moderation.ts'
import { isAdult, isInFuture } from '../../accounts/rules/age.ts'
import type { Profiles } from '../../accounts/rules/profile-ports.ts'
import type { Signals } from '../../frames/rules/ports.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import type { EvidenceFacts, EvidenceRecords } from '../../moderation/rules/evidence-ports.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import { agreementOf } from '../../moderation/rules/picture-agreement.ts'
import type { ModerationPolicy } from '../../moderation/rules/policy.ts'
import type { Cases, Decision, Risks, StatusChange } from '../../moderation/rules/ports.ts'
import { hasStanding, reportWeight, urgentSince, weightOfReports } from '../../moderation/rules/report-weight.ts'
import { riskScore } from '../../moderation/rules/risk.ts'
import { isForBirthAlone, mayChange } from '../../moderation/rules/status-table.ts'
import { outcomeOf, statusAfterVerdict } from '../../moderation/rules/verdict.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type OpenCase, pageOf, summaryOf } from './case-queue.ts'
import type { ConsoleCaller } from './moderator-logins.ts'
import type { Audit, CaseReport, Desk, Search } from './ports.ts'
import { STATISTICS_DAYS, statisticsOf } from './statistics.ts'

/** Rows that one case shows at most. */
const REPORTS_SHOWN = 200
const FINDINGS_SHOWN = 100
const LIVENESS_SHOWN = 20
const FOUND_MAX = 50
/** Length of the case-id prefix that stands for a user on screen. */
const ALIAS_LENGTH = 8

type Deps = {
  desk: Desk
  cases: Pick<Cases, 'history'>
  risks: Pick<Risks, 'matches'>
  decide: Moderation['decide']
  banMinor: Moderation['banMinor']
  liftMinorBan: Moderation['liftMinorBan']
  profiles: Pick<Profiles, 'find' | 'correctBirth'>
  evidence: Pick<Evidence, 'read'> & Pick<EvidenceRecords, 'list'>
  signals: Pick<Signals, 'of'>
  audit: Audit
  clock: Pick<Clock, 'now'>
  policy: ModerationPolicy
}

type DecisionInput = Pick<Decision, 'verdict' | 'rule'> & { id: string; version: string; note: string }

/** Everything that one read of a case found. Its version is computed from it. */
type CaseSnapshot = {
  open: OpenCase
  summary: CaseSummary
  history: StatusChange[]
  decided: number
  createdAt: number
}

function versionOf({
  decided,
  history,
  open: { reports, findings },
}: Omit<CaseSnapshot, 'summary' | 'createdAt'>): string {
  // A deleted report and a new one leave the number as it was.
  const newestAt = Math.max(0, ...reports.map(({ at }) => at))
  return [decided, history.length, reports.length, newestAt, findings.count].join('.')
}

/** The verdicts that a moderator may give in the present state of the case. */
function verdictsFor({ summary: { status, kinds }, history }: CaseSnapshot): Verdict[] {
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
  // The risk signals are digests without a meaning for moderators.
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

/** The moderators' desk. Each view of a case and each action is in the audit before its result is returned. */
export function createConsoleDesk(deps: Deps) {
  const { desk, cases, risks, decide, banMinor, liftMinorBan, profiles, evidence, signals, audit, clock, policy } = deps

  const summary = (open: OpenCase) =>
    summaryOf(open, (reports) => ({
      weight: weightOfReports(reports, policy),
      urgentSince: urgentSince(reports, policy.reportsToSuspend),
    }))

  function record(caller: ConsoleCaller, action: string, whom: string | null, what: string): Promise<void> {
    return audit.add({ at: clock.now(), moderator: caller.name, session: caller.loginSessionId, action, whom, what })
  }

  async function readSnapshot(id: string): Promise<CaseSnapshot> {
    const [[open], history, account] = await Promise.all([desk.casesOf([id]), cases.history(id), desk.findAccount(id)])
    if (!open || !account) throw new AppError('not-found', 'There is no such case')
    return { open, summary: summary(open), history, ...account }
  }

  return {
    async queue(kind: CaseKind | undefined, after: string | undefined): Promise<ConsoleEndpointOutput<'readQueue'>> {
      const all = (await desk.openCases())
        .map(summary)
        .filter(({ kinds }) => kind === undefined || kinds.includes(kind))
      const page = pageOf(all, after)
      if (!page) throw new AppError('bad-request', 'This is no place in the queue', { field: 'after' })
      return { ...page, open: all.length }
    },

    async read(caller: ConsoleCaller, id: string): Promise<Case> {
      const snapshot = await readSnapshot(id)
      await record(caller, 'case-opened', id, '')
      const [profile, reports, foundFrames, matches, pictures, liveness] = await Promise.all([
        profiles.find(id),
        desk.reports(id, REPORTS_SHOWN),
        desk.findings(id, FINDINGS_SHOWN),
        risks.matches(id, clock.now()),
        evidence.list({ subject: id }),
        signals.of(id, LIVENESS_SHOWN),
      ])
      const shown = (report: CaseReport) => shownReport(report, policy, pictures)
      return {
        ...snapshot.summary,
        until: snapshot.open.statusUntil,
        version: versionOf(snapshot),
        verdicts: verdictsFor(snapshot),
        createdAt: snapshot.createdAt,
        dateOfBirth: profile?.dateOfBirth ?? null,
        history: snapshot.history.map(shownChange),
        earlier: snapshot.open.earlier,
        openReports: reports.filter(({ outcome }) => outcome === null).map(shown),
        closedReports: reports.filter(({ outcome }) => outcome !== null).map(shown),
        foundFrames,
        evidence: pictures.flatMap(shownEvidence),
        isBlockedForBirth: isForBirthAlone(snapshot.history[0] ?? null),
        liveness: liveness.map(({ accountId, ...signal }) => signal),
        risk: { score: riskScore(matches), matches },
      }
    },

    /** Resolves with the JPEG, null when it or its facts do not match the signature. Rejects with `not-found` for evidence of another case. */
    async openEvidence(caller: ConsoleCaller, caseId: string, id: string): Promise<Uint8Array | null> {
      const found = await evidence.read(id)
      if (found?.facts.subject !== caseId || found.facts.kind === 'waiting')
        throw new AppError('not-found', 'There is no such evidence')
      await record(caller, 'evidence-opened', caseId, `${id}${found.jpeg ? '' : ', not as it was signed'}`)
      return found.jpeg
    },

    /** Rejects with `wrong-state` when the case has changed since the moderator read it, or another moderator decides at the same time. */
    async decide(caller: ConsoleCaller, input: DecisionInput): Promise<ConsoleEndpointOutput<'decide'>> {
      const { id, version, verdict, rule, note } = input
      const snapshot = await readSnapshot(id)
      if (version !== versionOf(snapshot) || !verdictsFor(snapshot).includes(verdict))
        throw new AppError('wrong-state', 'This case has changed meanwhile')
      if (!(await desk.claim(id, snapshot.decided))) throw new AppError('wrong-state', 'Somebody else has just decided')
      await record(caller, 'decide', id, `${verdict} ${rule}`)
      const decision = { moderator: caller.name, verdict, rule, reason: note }
      const status = await decide(id, decision).catch(async (thrown: unknown) => {
        await record(caller, 'decide-refused', id, `${verdict} ${rule}`)
        throw thrown
      })
      await desk.record({
        moderator: caller.name,
        verdict,
        rule,
        upheld: outcomeOf(verdict) === 'upheld',
        openedAt: snapshot.summary.openedAt,
        at: clock.now(),
      })
      return { status }
    },

    /**
     * Corrects a date of birth. A minor is blocked, as at the welcome page; who was blocked as a minor is restored, and enters the date
     * again where there is no profile yet.
     */
    async correctBirth(
      caller: ConsoleCaller,
      { id, dateOfBirth }: ConsoleInput<'correctBirth'>,
    ): Promise<ConsoleEndpointOutput<'correctBirth'>> {
      const now = clock.now()
      if (isInFuture(dateOfBirth, now))
        throw new AppError('bad-request', 'A date of birth cannot be in the future', { field: 'dateOfBirth' })
      const { summary: before, history } = await readSnapshot(id)
      const wasMinor = isForBirthAlone(history[0] ?? null)
      const profile = await profiles.find(id)
      if (!(profile || wasMinor)) throw new AppError('not-found', 'There is no profile')
      const isMinor = !isAdult(dateOfBirth, now)
      // The audit is kept longer than accounts, so it does not hold the date.
      await record(caller, 'birth-corrected', id, isMinor ? 'to that of a minor' : 'to that of an adult')
      if (profile) await profiles.correctBirth(id, dateOfBirth)
      if (isMinor) await banMinor(id)
      return { status: isMinor ? 'Blocked' : wasMinor ? await liftMinorBan(id) : before.status }
    },

    /** Finds an email address only as a whole. */
    async search(caller: ConsoleCaller, text: string): Promise<ConsoleEndpointOutput<'search'>> {
      const searches: Search[] = text.includes('@')
        ? [{ email: text }]
        : [{ nickName: text }, { idStart: text.toLowerCase() }]
      const ids = new Set((await Promise.all(searches.map((by) => desk.search(by, FOUND_MAX)))).flat())
      // The audit is kept longer than accounts, so it holds neither the email address nor the name.
      const what = text.includes('@') ? 'by e-mail' : 'by name or case id'
      const [only] = ids.size === 1 ? ids : []
      await record(caller, 'search', only ?? null, `${what}: ${ids.size} found`)
      return { cases: (await desk.casesOf([...ids].slice(0, FOUND_MAX))).map(summary) }
    },

    async statistics(): Promise<Statistics> {
      const now = clock.now()
      const [open, decisions] = await Promise.all([desk.openCases(), desk.decisions(now - STATISTICS_DAYS * DAY_MS)])
      return statisticsOf(open.map(summary), decisions, now)
    },
  }
}
export type ConsoleDesk = ReturnType<typeof createConsoleDesk>
