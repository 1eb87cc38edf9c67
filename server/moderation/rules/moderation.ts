import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { BlockCase, ReviewOutcome } from '#protocol/moderation.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import type { Relations } from '../../matching/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { blockCaseOf } from './block-case.ts'
import { endOf, stepWhenDue } from './deadline.ts'
import { judge, type Step } from './judgement.ts'
import { flagWindowMs, KEPT_CALL_MS, type ModerationPolicy } from './policy.ts'
import type {
  Actor,
  CaseOutcome,
  Cases,
  Decision,
  Findings,
  Flagged,
  Judge,
  KeptCases,
  Reports,
  Risks,
  StatusChange,
  TakeReport,
} from './ports.ts'
import { addressPrefix, riskScore } from './risk.ts'
import { mayChange } from './status-table.ts'
import { freshStart, outcomeOf, statusAfterVerdict, toldAfter } from './verdict.ts'

type Deps = {
  accounts: Pick<Accounts, 'find'>
  relations: Pick<Relations, 'block'>
  reports: Reports
  cases: Cases
  findings: Findings
  risks: Risks
  keptCases: KeptCases
  clock: Pick<Clock, 'now'>
  policy: ModerationPolicy
  /** A keyed one-way function. */
  digest: (text: string) => string
  /** Ends at once whatever somebody does who may not chat any more. */
  shutOut: (accountId: string) => void
  /** Whether people are told by e-mail too. */
  mails: boolean
}

/** A report may come into the records so long after the moment that it names. */
const SLOW_WRITE_MS = 60_000

type Planned = Step & {
  actor: string | null
  closes?: CaseOutcome
  tells?: ReviewOutcome | null
  /** Where the step has another end than one that begins now. */
  until?: number
}
type Known = { account: Account; standing: StatusChange | null; history: StatusChange[] }

export type Moderation = ReturnType<typeof createModeration>

/** Everything that may change somebody's status goes through here: looked up in the table, recorded, and acted on at once. */
export function createModeration(deps: Deps) {
  const { accounts, relations, reports, cases, findings, risks, keptCases, clock, policy, digest, shutOut, mails } =
    deps

  const personOf = (account: Pick<Account, 'provider' | 'subject'>) =>
    digest(JSON.stringify(['person', account.provider, account.subject]))

  /** The end of a server may come between a report and its judgement. */
  let keptUpTo = clock.now() - DAY_MS

  async function know(accountId: string): Promise<Known> {
    const account = await accounts.find(accountId)
    if (!account) throw new AppError('not-found', 'There is no such account')
    const history = await cases.history(accountId)
    return { account, history, standing: history[0] ?? null }
  }

  /** Throws `wrong-state` for a step that is not in the table. False when somebody else was faster. */
  async function take({ account, standing }: Known, planned: Planned): Promise<boolean> {
    const { to, by, what, rule, reason, actor, closes = null } = planned
    const from = account.status
    if (!mayChange(from, to, by, standing?.rule ?? null))
      throw new AppError('wrong-state', `The ${by} may not change ${from} to ${to}`)
    const now = clock.now()
    const who: Actor = { kind: by, id: actor }
    const until = planned.until ?? endOf(to, now, policy)
    const change: StatusChange = { accountId: account.id, from, to, by: who, what, rule, reason, at: now, until }
    const tells = planned.tells === undefined ? null : planned.tells
    const signalsUntil = now + policy.riskSignalDays * DAY_MS
    const effects = { closes, tells, mails, person: personOf(account), signalsUntil }
    if (!(await cases.change(change, effects))) return false
    if (to === 'Appeal' || to === 'InReview' || to === 'Blocked') shutOut(account.id)
    return true
  }

  /** Takes the step that `plan` sees in what is known; looks again when the status changed meanwhile. */
  async function settle(accountId: string, plan: (known: Known) => Planned | null | Promise<Planned | null>) {
    for (;;) {
      const known = await know(accountId)
      const planned = await plan(known)
      if (!planned) return known.account.status
      if (await take(known, planned)) return planned.to
    }
  }

  async function judgeNow({ account, history }: Known): Promise<Planned | null> {
    const now = clock.now()
    const start = freshStart(history)
    const since = (ms: number) => Math.max(now - ms, start)
    const [open, found, matches] = await Promise.all([
      reports.open(account.id, since(policy.windowDays * DAY_MS)),
      findings.count(account.id, since(flagWindowMs(policy)), policy.flagScore),
      risks.matches(account.id, now),
    ])
    const step = judge(account.status, { reports: open, findings: found, risk: riskScore(matches) }, policy)
    return step && { ...step, actor: null }
  }

  /** For what happens by itself: an account that has been deleted meanwhile is no fault. */
  async function settleUnlessGone(...[accountId, plan]: Parameters<typeof settle>): Promise<void> {
    try {
      await settle(accountId, plan)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not-found')) throw error
    }
  }

  /** Goes on with the case that was open when this person deleted an earlier account. */
  async function takeUp(accountId: string): Promise<void> {
    const account = await accounts.find(accountId)
    const kept = account && (await keptCases.find(personOf(account), clock.now()))
    if (!kept) return
    const { person, status, what, rule, until } = kept
    let isTakenUp = true
    if (status !== 'Valid' && until !== null && until > clock.now())
      await settle(accountId, ({ account: { status: from } }) => {
        // Else another sign-in was faster, or the account that the case is of is not erased yet.
        isTakenUp = from === 'Valid'
        const reason = 'This was open when an earlier account was deleted'
        return isTakenUp ? { to: status, by: 'earlier-case', what, rule, reason, actor: null, until } : null
      })
    if (kept.reports + kept.findings > 0) await keptCases.attach(person, accountId)
    else if (isTakenUp) await keptCases.forget(person)
  }

  const judgeReports: Judge = (accountId) => settleUnlessGone(accountId, judgeNow)

  const takeReport: TakeReport = async (report) => {
    if (report.type === 'BlockAndReport') await relations.block(report.reporter, report.reported, report.at)
    return reports.add({ ...report, keptCalls: await reports.keptCalls(report.reporter, KEPT_CALL_MS) })
  }

  const flagged: Flagged = async (accountId, finding) => {
    await findings.add(accountId, finding)
    await judgeReports(accountId)
  }

  return {
    takeReport,
    judge: judgeReports,
    flagged,

    /** Throws `wrong-state` unless there is something to appeal against. */
    appeal(accountId: string): Promise<BlockStatus> {
      return settle(accountId, ({ standing }) => ({
        to: 'InReview',
        by: 'user',
        what: standing?.what ?? 'reports',
        rule: standing?.rule ?? 'guidelines',
        reason: 'Appeal',
        actor: accountId,
      }))
    },

    /** Throws `wrong-state` for a verdict that the status does not allow. Closes what is open about the person. */
    decide(accountId: string, { moderator, verdict, rule, reason }: Decision): Promise<BlockStatus> {
      return settle(accountId, async ({ account, standing }) => {
        const to = statusAfterVerdict(verdict, account.status, standing)
        if (!to) throw new AppError('wrong-state', `There is nothing to ${verdict} in the state ${account.status}`)
        const closes = outcomeOf(verdict)
        if (to === account.status && verdict === 'dismiss') {
          await cases.close(accountId, closes, clock.now())
          return null
        }
        const tells = toldAfter(account.status, to)
        return { to, by: 'moderator', what: 'moderator', rule, reason, actor: moderator, closes, tells }
      })
    },

    /** For somebody whose own date of birth is that of a minor. */
    async banMinor(accountId: string): Promise<void> {
      await settle(accountId, ({ account, standing }) => {
        if (account.status === 'Blocked' && standing?.rule === 'adults-only') return null
        const reason = 'The date of birth is that of a minor'
        return { to: 'Blocked', by: 'age', what: 'age', rule: 'adults-only', reason, actor: null }
      })
    },

    /**
     * A block outlives its account, and so does an open case: for as long as its status lasts, or as a review of what was reported
     * may take. To be called before an account is erased, as often as it takes.
     */
    async remember(account: Account): Promise<void> {
      const { status } = account
      const person = personOf(account)
      const now = clock.now()
      const [standing] = await cases.history(account.id)
      const { what = 'reports', rule = 'guidelines' } = standing ?? {}
      if (status === 'Blocked') {
        await risks.remember(person, rule, now)
        return
      }
      const open = await cases.open(account.id)
      const isOpen = open.reports + open.findings > 0
      if (status === 'Valid' && !isOpen) return
      const until = status === 'Valid' ? null : (standing?.until ?? endOf(status, now, policy))
      const expiresAt = Math.max(until ?? 0, isOpen ? now + REVIEW_DAYS * DAY_MS : 0)
      await keptCases.keep({ person, status, what, rule, until, ...open, at: now, expiresAt })
    },

    /** Notes the keyed traces of somebody who signs in, and blocks who was blocked before. `device` is null where unknown. */
    async admit(accountId: string, traces: { address: string; device: string | null }): Promise<void> {
      const prefix = addressPrefix(traces.address)
      const signals = {
        address: prefix && digest(JSON.stringify(['address', prefix])),
        device: traces.device && digest(JSON.stringify(['device', traces.device])),
      }
      await risks.note(accountId, signals, clock.now())
      await settle(accountId, async ({ account }) => {
        const rule = account.status === 'Blocked' ? null : await risks.ban(personOf(account))
        if (!rule) return null
        return { to: 'Blocked', by: 'ban', what: 'earlier-ban', rule, reason: 'Blocked before', actor: null }
      })
      await takeUp(accountId)
    },

    /** Ends every status whose time is over, judges what came in just before the server ended, and forgets old traces. */
    async keepUp(): Promise<void> {
      for (const accountId of await cases.due(clock.now())) {
        await settleUnlessGone(accountId, ({ standing }) => {
          if (standing?.until == null || standing.until > clock.now()) return null
          const step = stepWhenDue(standing)
          return step && { ...step, actor: null }
        })
      }
      const now = clock.now()
      for (const accountId of await reports.subjects(keptUpTo)) await judgeReports(accountId)
      keptUpTo = now - SLOW_WRITE_MS
      await risks.sweep(now, now - policy.riskSignalDays * DAY_MS)
    },

    /** From 0 to 0.8: how much speaks for this being somebody who was blocked. */
    async risk(accountId: string): Promise<number> {
      return riskScore(await risks.matches(accountId, clock.now()))
    },

    async blockCase(accountId: string): Promise<BlockCase | null> {
      const [standing] = await cases.history(accountId)
      return standing ? blockCaseOf(standing) : null
    },
  }
}
