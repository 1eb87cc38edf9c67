import type { Case, CaseKind, ConsoleEndpointOutput, ConsoleInput, Statistics } from '#protocol/console.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import { isAdult, isInFuture } from '../../accounts/rules/age.ts'
import type { Profiles } from '../../accounts/rules/profile-ports.ts'
import type { Signals } from '../../frames/rules/ports.ts'
import type { Evidence } from '../../moderation/rules/evidence.ts'
import type { EvidenceRecords } from '../../moderation/rules/evidence-ports.ts'
import type { Moderation } from '../../moderation/rules/moderation.ts'
import type { ModerationPolicy } from '../../moderation/rules/policy.ts'
import type { Cases, Risks } from '../../moderation/rules/ports.ts'
import { urgentSince, weightOfReports } from '../../moderation/rules/report-weight.ts'
import { isForBirthAlone } from '../../moderation/rules/status-table.ts'
import { outcomeOf } from '../../moderation/rules/verdict.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type OpenCase, pageOf, summaryOf } from './case-queue.ts'
import { type CaseSnapshot, shownCase, verdictsFor, versionOf } from './case-view.ts'
import type { ConsoleCaller, Desk, RecordAction, Search } from './ports.ts'
import { STATISTICS_DAYS, statisticsOf } from './statistics.ts'

/** Most rows that one case shows. */
const REPORTS_SHOWN = 200
const FINDINGS_SHOWN = 100
const LIVENESS_SHOWN = 20
const FOUND_MAX = 50

type Deps = {
  desk: Desk
  cases: Pick<Cases, 'history'>
  risks: Pick<Risks, 'matches'>
  moderation: Pick<Moderation, 'decide' | 'banMinor' | 'liftMinorBan'>
  profiles: Pick<Profiles, 'find' | 'correctBirth'>
  evidence: Pick<Evidence, 'read'> & Pick<EvidenceRecords, 'list'>
  signals: Pick<Signals, 'of'>
  record: RecordAction
  clock: Pick<Clock, 'now'>
  policy: ModerationPolicy
}

function summaryBy(policy: ModerationPolicy) {
  return (open: OpenCase) =>
    summaryOf(open, (reports) => ({
      weight: weightOfReports(reports, policy),
      urgentSince: urgentSince(reports, policy.reportsToSuspend),
    }))
}

/** The lists of cases: the queue, search, and the statistics of the queue. */
function createCaseLists({ desk, record, clock, policy }: Deps) {
  const summary = summaryBy(policy)
  return {
    async queue(kind: CaseKind | undefined, after: string | undefined): Promise<ConsoleEndpointOutput<'readQueue'>> {
      const open = (await desk.openCases()).map(summary)
      const all = open.filter(({ kinds }) => kind === undefined || kinds.includes(kind))
      const page = pageOf(all, after)
      if (!page) throw new AppError('bad-request', 'This is no place in the queue', { field: 'after' })
      return { ...page, open: all.length }
    },

    /** Searches by nickname, case id or email address; an email address must be complete. */
    async search(caller: ConsoleCaller, text: string): Promise<ConsoleEndpointOutput<'search'>> {
      const isEmail = text.includes('@')
      const searches: Search[] = isEmail ? [{ email: text }] : [{ nickName: text }, { idStart: text.toLowerCase() }]
      const ids = new Set((await Promise.all(searches.map((by) => desk.search(by, FOUND_MAX)))).flat())
      // The audit is kept longer than accounts, so it holds neither the email address nor the name.
      const what = isEmail ? 'by e-mail' : 'by name or case id'
      const [only] = ids.size === 1 ? ids : []
      await record(caller, 'search', `${what}: ${ids.size} found`, only)
      return { cases: (await desk.casesOf([...ids].slice(0, FOUND_MAX))).map(summary) }
    },

    async statistics(): Promise<Statistics> {
      const now = clock.now()
      const [open, decisions] = await Promise.all([desk.openCases(), desk.decisions(now - STATISTICS_DAYS * DAY_MS)])
      return statisticsOf(open.map(summary), decisions, now)
    },
  }
}

/** The moderators' desk. Each view of a case and each action is written to the audit before its result is returned. */
export function createConsoleDesk(deps: Deps) {
  const { desk, cases, risks, moderation, profiles, evidence, signals, record, clock, policy } = deps
  const summary = summaryBy(policy)

  async function readSnapshot(id: string): Promise<CaseSnapshot> {
    const [[open], history, account] = await Promise.all([desk.casesOf([id]), cases.history(id), desk.findAccount(id)])
    if (!open || !account) throw new AppError('not-found', 'There is no such case')
    return { open, summary: summary(open), history, ...account }
  }

  return {
    ...createCaseLists(deps),

    async read(caller: ConsoleCaller, id: string): Promise<Case> {
      const snapshot = await readSnapshot(id)
      await record(caller, 'case-opened', '', id)
      const [profile, reports, foundFrames, matches, pictures, liveness] = await Promise.all([
        profiles.find(id),
        desk.reports(id, REPORTS_SHOWN),
        desk.findings(id, FINDINGS_SHOWN),
        risks.matches(id, clock.now()),
        evidence.list({ subject: id }),
        signals.of(id, LIVENESS_SHOWN),
      ])
      return shownCase(snapshot, { profile, reports, foundFrames, matches, pictures, liveness }, policy)
    },

    /**
     * Resolves with the JPEG; null if the picture or its facts do not match the signature. Rejects with `not-found` for
     * evidence of another case.
     */
    async openEvidence(caller: ConsoleCaller, caseId: string, id: string): Promise<Uint8Array | null> {
      const found = await evidence.read(id)
      if (found?.facts.subject !== caseId || found.facts.kind === 'waiting')
        throw new AppError('not-found', 'There is no such evidence')
      await record(caller, 'evidence-opened', `${id}${found.jpeg ? '' : ', not as it was signed'}`, caseId)
      return found.jpeg
    },

    /** Rejects with `wrong-state` when the case has changed since the moderator read it, or another moderator decides at the same time. */
    async decide(caller: ConsoleCaller, input: ConsoleInput<'decide'>): Promise<ConsoleEndpointOutput<'decide'>> {
      const { id, version, verdict, rule, note } = input
      const snapshot = await readSnapshot(id)
      if (version !== versionOf(snapshot) || !verdictsFor(snapshot).includes(verdict))
        throw new AppError('wrong-state', 'This case has changed meanwhile')
      if (!(await desk.claim(id, snapshot.decided))) throw new AppError('wrong-state', 'Somebody else has just decided')
      await record(caller, 'decide', `${verdict} ${rule}`, id)
      const judgement = { moderator: caller.name, verdict, rule }
      const status = await moderation.decide(id, { ...judgement, reason: note }).catch(async (thrown: unknown) => {
        await record(caller, 'decide-refused', `${verdict} ${rule}`, id)
        throw thrown
      })
      const { openedAt } = snapshot.summary
      await desk.record({ ...judgement, upheld: outcomeOf(verdict) === 'upheld', openedAt, at: clock.now() })
      return { status }
    },

    /** Corrects a date of birth. Blocks a minor, as the welcome page does, and restores a user who was blocked as a minor. */
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
      await record(caller, 'birth-corrected', isMinor ? 'to that of a minor' : 'to that of an adult', id)
      if (profile) await profiles.correctBirth(id, dateOfBirth)
      if (isMinor) await moderation.banMinor(id)
      return { status: isMinor ? 'Blocked' : wasMinor ? await moderation.liftMinorBan(id) : before.status }
    },
  }
}
