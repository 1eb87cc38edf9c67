import type { BlockStatus } from '#protocol/block-status.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockCase, ReviewOutcome } from '#protocol/moderation.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import type { Relations } from '../../matching/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { blockCaseOf } from './block-case.ts'
import { endOf, transitionWhenDue } from './deadline.ts'
import { judge, type Transition } from './judgement.ts'
import { mailboxOf } from './mailbox.ts'
import { type KeptCalls, outsideCalls } from './outside-calls.ts'
import { flagWindowMs, type ModerationPolicy } from './policy.ts'
import type {
  CaseOutcome,
  Cases,
  Decision,
  Findings,
  Judge,
  KeptCases,
  KeptRecords,
  PersonOf,
  RecordFinding,
  RecordReport,
  Reports,
  Risks,
  StatusChange,
} from './ports.ts'
import { dueAtOf } from './priority-report.ts'
import { isSettled } from './report-weight.ts'
import { addressPrefix, riskScore } from './risk.ts'
import { isForBirthAlone, mayChange } from './status-table.ts'
import { countsSince, noticeAfter, outcomeOf, statusAfterVerdict } from './verdict.ts'

type Deps = {
  accounts: Pick<Accounts, 'find'>
  relations: Pick<Relations, 'block'>
  reports: Reports
  keptCalls: KeptCalls
  cases: Cases
  findings: Findings
  risks: Risks
  keptCases: KeptCases
  keptRecords: KeptRecords
  clock: Pick<Clock, 'now'>
  policy: ModerationPolicy
  /** A keyed one-way function. */
  digest: (text: string) => string
  /** Receives the account of each change of status. */
  onChanged: (accountId: string) => void
  /** Receives an account that may no longer chat, to end its connections. */
  onSuspended: (accountId: string) => void
  /** Whether notices are sent by email too. */
  sendEmail: boolean
}

/** A report is written at most this long after its time `at`. */
const MAX_WRITE_DELAY_MS = 60_000

type PlannedTransition = Transition & {
  actor: string | null
  closes?: CaseOutcome
  notice?: ReviewOutcome | null
  /** End of the new status, where it differs from the usual one. */
  until?: number
}
type AccountCase = { account: Account; lastChange: StatusChange | null; history: StatusChange[] }

export type Moderation = ReturnType<typeof createModeration>

/** All changes of status: checked against the status table, recorded, and put into effect at once. */
export function createModeration(deps: Deps) {
  const {
    accounts,
    relations,
    reports,
    keptCalls: calls,
    cases,
    findings,
    risks,
    keptCases,
    keptRecords,
    clock,
    policy,
    digest,
    onChanged,
    onSuspended,
    sendEmail,
  } = deps

  const personOf: PersonOf = ({ provider, subject }) => digest(JSON.stringify(['person', provider, subject]))
  const mailboxDigest = ({ email }: Pick<Account, 'email'>) => digest(JSON.stringify(['mailbox', mailboxOf(email)]))

  /** Reports up to this time have been judged. Starts a day back, since a server may stop between a report and its judgement. */
  let judgedUpTo = clock.now() - DAY_MS

  async function readCase(accountId: string): Promise<AccountCase> {
    const account = await accounts.find(accountId)
    if (!account) throw new AppError('not-found', 'There is no such account')
    const history = await cases.history(accountId)
    return { account, history, lastChange: history[0] ?? null }
  }

  /** Throws `wrong-state` for a transition that is not in the table. Resolves with false when the status changed in the meantime. */
  async function apply({ account, lastChange }: AccountCase, planned: PlannedTransition): Promise<boolean> {
    const { to, by, what, rule, reason, actor, closes = null } = planned
    const from = account.status
    if (!mayChange(from, to, by, lastChange?.rule ?? null))
      throw new AppError('wrong-state', `The ${by} may not change ${from} to ${to}`)
    const now = clock.now()
    const until = planned.until ?? endOf(to, now, policy)
    const change: StatusChange = {
      accountId: account.id,
      from,
      to,
      by: { kind: by, id: actor },
      what,
      rule,
      reason,
      at: now,
      until,
    }
    const notice = planned.notice ?? null
    const signalsUntil = now + policy.riskSignalDays * DAY_MS
    const effects = {
      closes,
      notice,
      sendEmail,
      person: personOf(account),
      mailbox: mailboxDigest(account),
      signalsUntil,
    }
    if (!(await cases.change(change, effects))) return false
    onChanged(account.id)
    if (to === 'Appeal' || to === 'InReview' || to === 'Blocked') onSuspended(account.id)
    return true
  }

  /** Applies the transition that `plan` returns, and plans again when the status changed in the meantime. */
  async function changeStatus(
    accountId: string,
    plan: (current: AccountCase) => PlannedTransition | null | Promise<PlannedTransition | null>,
  ) {
    for (;;) {
      const current = await readCase(accountId)
      const planned = await plan(current)
      if (!planned) return current.account.status
      if (await apply(current, planned)) return planned.to
    }
  }

  async function planByPolicy({ account, history }: AccountCase): Promise<PlannedTransition | null> {
    const now = clock.now()
    const start = countsSince(history)
    const since = (ms: number) => Math.max(now - ms, start)
    const [open, found, matches] = await Promise.all([
      reports.open(account.id, since(policy.windowDays * DAY_MS)),
      findings.count(account.id, since(flagWindowMs(policy)), policy.flagScore),
      risks.matches(account.id, now),
    ])
    const transition = judge(account.status, { reports: open, findings: found, risk: riskScore(matches) }, policy)
    return transition && { ...transition, actor: null }
  }

  /** For automatic changes: ignores an account that was deleted in the meantime. */
  async function changeStatusUnlessDeleted(...[accountId, plan]: Parameters<typeof changeStatus>): Promise<void> {
    try {
      await changeStatus(accountId, plan)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not-found')) throw error
    }
  }

  /** Resumes the case that was open when this person deleted an earlier account, and gives the new one what was kept of that. */
  async function resumeEarlier(accountId: string): Promise<void> {
    const account = await accounts.find(accountId)
    if (!account) return
    await keptRecords.restore(personOf(account), accountId)
    const kept = await keptCases.find(personOf(account), clock.now())
    if (!kept) return
    const { person, status, what, rule, until } = kept
    let isResumed = true
    if (status !== 'Valid' && until !== null && until > clock.now())
      await changeStatus(accountId, ({ account: { status: from } }) => {
        // False when another sign-in has resumed the case, or the earlier account is not erased yet.
        isResumed = from === 'Valid'
        const reason = 'This was open when an earlier account was deleted'
        return isResumed ? { to: status, by: 'earlier-case', what, rule, reason, actor: null, until } : null
      })
    if (kept.reports + kept.findings > 0) await keptCases.attach(person, accountId)
    else if (isResumed) await keptCases.remove(person)
  }

  const judgeReports: Judge = (accountId) => changeStatusUnlessDeleted(accountId, planByPolicy)

  const recordReport: RecordReport = async (report) => {
    // Whatever the type: a pair with a report never meets again.
    await relations.block(report.reporter, report.reported, report.at)
    const [keptCalls, earlier] = await Promise.all([
      outsideCalls(report.reporter, calls),
      reports.recordOf(report.reporter, report.at),
    ])
    const record = { ...earlier, keptCalls, at: report.at }
    return reports.add({
      ...report,
      keptCalls,
      settled: isSettled(record, policy),
      dueAt: dueAtOf(report, record, policy),
    })
  }

  const recordFinding: RecordFinding = async (accountId, finding) => {
    await findings.add(accountId, finding)
    await judgeReports(accountId)
  }

  return {
    recordReport,
    judge: judgeReports,
    recordFinding,

    /** Rejects with `wrong-state` unless the account is suspended. */
    appeal(accountId: string): Promise<BlockStatus> {
      return changeStatus(accountId, ({ lastChange }) => ({
        to: 'InReview',
        by: 'user',
        what: lastChange?.what ?? 'reports',
        rule: lastChange?.rule ?? 'guidelines',
        reason: 'Appeal',
        actor: accountId,
      }))
    },

    /** Closes all open reports and findings about the account. Rejects with `wrong-state` for a verdict that the status does not allow. */
    decide(accountId: string, { moderator, verdict, rule, reason }: Decision): Promise<BlockStatus> {
      return changeStatus(accountId, async ({ account, lastChange }) => {
        const to = statusAfterVerdict(verdict, account.status, lastChange)
        if (!to) throw new AppError('wrong-state', `There is nothing to ${verdict} in the state ${account.status}`)
        const closes = outcomeOf(verdict)
        if (to === account.status && verdict === 'dismiss') {
          await cases.close(accountId, closes, clock.now())
          return null
        }
        const notice = noticeAfter(account.status, to)
        return { to, by: 'moderator', what: 'moderator', rule, reason, actor: moderator, closes, notice }
      })
    },

    /** Blocks a user whose own date of birth is that of a minor. */
    async banMinor(accountId: string): Promise<void> {
      await changeStatus(accountId, ({ account, lastChange }) => {
        if (account.status === 'Blocked' && lastChange?.rule === 'adults-only') return null
        const reason = 'The date of birth is that of a minor'
        return { to: 'Blocked', by: 'age', what: 'age', rule: 'adults-only', reason, actor: null }
      })
    },

    /** Restores a user who was blocked for a date of birth alone. Resolves with the status, which is as before for others. */
    liftMinorBan(accountId: string): Promise<BlockStatus> {
      return changeStatus(accountId, ({ account, lastChange }) => {
        if (account.status !== 'Blocked' || !isForBirthAlone(lastChange)) return null
        const reason = 'The date of birth was corrected to that of an adult'
        return { to: 'Valid', by: 'age', what: 'age', rule: 'adults-only', reason, actor: null, notice: 'restored' }
      })
    },

    /**
     * Keeps a block, or an open case, beyond the account: the case until its status ends, and at least for REVIEW_DAYS when reports or
     * findings are open. Keeps the person's record as a reporter, and who must not meet the person. Called before an account is erased;
     * repeated calls do no harm.
     */
    async keepCase(account: Account): Promise<void> {
      const { status } = account
      const person = personOf(account)
      const now = clock.now()
      await keptRecords.keep(account, personOf, now)
      const [lastChange] = await cases.history(account.id)
      const { what = 'reports', rule = 'guidelines' } = lastChange ?? {}
      if (status === 'Blocked') {
        const mailbox = lastChange?.by.kind === 'ban' ? null : mailboxDigest(account)
        await risks.addBan({ person, mailbox, rule, at: now })
        return
      }
      const open = await cases.open(account.id)
      const isOpen = open.reports + open.findings > 0
      if (status === 'Valid' && !isOpen) return
      const until = status === 'Valid' ? null : (lastChange?.until ?? endOf(status, now, policy))
      const expiresAt = Math.max(until ?? 0, isOpen ? now + REVIEW_DAYS * DAY_MS : 0)
      await keptCases.keep({ person, status, what, rule, until, ...open, at: now, expiresAt })
    },

    /** Records the risk signals of a sign-in and blocks a person who was blocked before. `device` is null where unknown. */
    async admit(accountId: string, origin: { address: string; device: string | null }): Promise<void> {
      const prefix = addressPrefix(origin.address)
      const signals = {
        address: prefix && digest(JSON.stringify(['address', prefix])),
        device: origin.device && digest(JSON.stringify(['device', origin.device])),
      }
      await risks.addSignals(accountId, signals, clock.now())
      await changeStatus(accountId, async ({ account }) => {
        const rule =
          account.status === 'Blocked' ? null : await risks.findBan(personOf(account), mailboxDigest(account))
        if (!rule) return null
        return { to: 'Blocked', by: 'ban', what: 'earlier-ban', rule, reason: 'Blocked before', actor: null }
      })
      await resumeEarlier(accountId)
    },

    /** Ends statuses that are due, judges accounts whose reports came in just before a server stopped, and deletes expired risk signals. */
    async runUpkeep(): Promise<void> {
      for (const accountId of await cases.due(clock.now())) {
        await changeStatusUnlessDeleted(accountId, ({ lastChange }) => {
          if (lastChange?.until == null || lastChange.until > clock.now()) return null
          const transition = transitionWhenDue(lastChange)
          return transition && { ...transition, actor: null }
        })
      }
      const now = clock.now()
      for (const accountId of await reports.subjects(judgedUpTo)) await judgeReports(accountId)
      judgedUpTo = now - MAX_WRITE_DELAY_MS
      await risks.deleteExpired(now, now - policy.riskSignalDays * DAY_MS)
    },

    /** Resolves with the risk score of the account, from 0 to 0.8. */
    async risk(accountId: string): Promise<number> {
      return riskScore(await risks.matches(accountId, clock.now()))
    },

    async blockCase(accountId: string): Promise<BlockCase | null> {
      const [lastChange] = await cases.history(accountId)
      return lastChange ? blockCaseOf(lastChange) : null
    },
  }
}
