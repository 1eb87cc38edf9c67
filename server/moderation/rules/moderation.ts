import type { BlockStatus } from '#protocol/block-status.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { BlockCase } from '#protocol/moderation.ts'
import type { Relations } from '../../matching/rules/ports.ts'
import { createEarlierAccounts, type EarlierAccountDeps } from './earlier-accounts.ts'
import { judge } from './judgement.ts'
import { type KeptCalls, outsideCalls } from './outside-calls.ts'
import { flagWindowMs } from './policy.ts'
import type { Decision, Finding, Findings, Report, Reports } from './ports.ts'
import { dueAtOf } from './priority-report.ts'
import { isSettled } from './report-weight.ts'
import { riskScore } from './risk.ts'
import { type AccountCase, createStatusChanges, type StatusChanges } from './status-changes.ts'
import { blockCaseOf, isForBirthAlone, transitionWhenDue } from './status-table.ts'
import { countsSince, noticeAfter, outcomeOf, statusAfterVerdict } from './verdict.ts'

type Deps = EarlierAccountDeps & {
  relations: Pick<Relations, 'block'>
  reports: Reports
  keptCalls: KeptCalls
  findings: Findings
}

/** Longest time from a report's time `at` to its writing. */
const MAX_WRITE_DELAY_MS = 60_000

/** Takes reports and findings, and applies the policy to them. */
function createJudging(deps: Deps, statuses: StatusChanges) {
  const { relations, reports, keptCalls: calls, findings, risks, clock, policy } = deps

  async function transitionByPolicy({ account, history }: AccountCase) {
    const now = clock.now()
    const start = countsSince(history)
    const since = (ms: number) => Math.max(now - ms, start)
    const [open, found, matches] = await Promise.all([
      reports.open(account.id, since(policy.windowDays * DAY_MS)),
      findings.count(account.id, since(flagWindowMs(policy)), policy.flagScore),
      risks.matches(account.id, now),
    ])
    return judge(account.status, { reports: open, findings: found, risk: riskScore(matches) }, policy)
  }

  /** Applies the policy to an account about which there is new information. */
  const judgeAccount = (accountId: string) => statuses.changeUnlessDeleted(accountId, transitionByPolicy)

  return {
    judge: judgeAccount,

    /** Records a report and the block between the two. Resolves with false for a second report in the same match. */
    async recordReport(report: Report): Promise<boolean> {
      const { reporter, reported, at } = report
      // Whatever the type of the report: two users with a report between them never meet again.
      await relations.block(reporter, reported, at)
      const [keptCalls, earlier] = await Promise.all([outsideCalls(reporter, calls), reports.recordOf(reporter, at)])
      const record = { ...earlier, keptCalls, at }
      const settled = isSettled(record, policy)
      return reports.add({ ...report, keptCalls, settled, dueAt: dueAtOf(report, record, policy) })
    },

    async recordFinding(accountId: string, finding: Finding): Promise<void> {
      await findings.add(accountId, finding)
      await judgeAccount(accountId)
    },
  }
}

/** The changes of status that a user, a moderator or a date of birth causes. */
function createDecisions({ cases, clock }: Deps, { change }: StatusChanges) {
  return {
    /** Rejects with `wrong-state` unless the account is suspended. */
    appeal: (accountId: string): Promise<BlockStatus> =>
      change(accountId, ({ lastChange }) => {
        const { what = 'reports', rule = 'guidelines' } = lastChange ?? {}
        return { to: 'InReview', by: 'user', what, rule, reason: 'Appeal', actor: accountId }
      }),

    /** Closes all open reports and findings about the account. Rejects with `wrong-state` for a verdict that the status does not allow. */
    decide: (accountId: string, { moderator: actor, verdict, rule, reason }: Decision): Promise<BlockStatus> =>
      change(accountId, async ({ account, lastChange }) => {
        const to = statusAfterVerdict(verdict, account.status, lastChange)
        if (!to) throw new AppError('wrong-state', `There is nothing to ${verdict} in the state ${account.status}`)
        const closes = outcomeOf(verdict)
        if (to === account.status && verdict === 'dismiss') {
          await cases.close(accountId, closes, clock.now())
          return null
        }
        const notice = noticeAfter(account.status, to)
        return { to, by: 'moderator', what: 'moderator', rule, reason, actor, closes, notice }
      }),

    /** Blocks a user whose own date of birth is that of a minor. */
    async banMinor(accountId: string): Promise<void> {
      await change(accountId, ({ account, lastChange }) => {
        if (account.status === 'Blocked' && lastChange?.rule === 'adults-only') return null
        const reason = 'The date of birth is that of a minor'
        return { to: 'Blocked', by: 'age', what: 'age', rule: 'adults-only', reason }
      })
    },

    /** Restores a user who was blocked for a date of birth alone. Resolves with the status, which is unchanged for any other user. */
    liftMinorBan: (accountId: string): Promise<BlockStatus> =>
      change(accountId, ({ account, lastChange }) => {
        if (account.status !== 'Blocked' || !isForBirthAlone(lastChange)) return null
        const reason = 'The date of birth was corrected to that of an adult'
        return { to: 'Valid', by: 'age', what: 'age', rule: 'adults-only', reason, notice: 'restored' }
      }),
  }
}

export type Moderation = ReturnType<typeof createModeration>

/** All changes of status, and what is known about cases. */
export function createModeration(deps: Deps) {
  const { cases, reports, risks, clock, policy } = deps
  const statuses = createStatusChanges(deps)
  const judging = createJudging(deps, statuses)

  /**
   * Reports up to this time have been judged. Begins a day before the start, since a server may stop between a report and its judgement.
   */
  let judgedUpTo = clock.now() - DAY_MS

  return {
    ...judging,
    ...createDecisions(deps, statuses),
    ...createEarlierAccounts(deps, statuses),

    /** Ends statuses that are due, judges accounts whose reports came in just before a server stopped, and deletes expired risk signals. */
    async runUpkeep(): Promise<void> {
      for (const accountId of await cases.due(clock.now())) {
        await statuses.changeUnlessDeleted(accountId, ({ lastChange }) =>
          lastChange?.until == null || lastChange.until > clock.now() ? null : transitionWhenDue(lastChange),
        )
      }
      const now = clock.now()
      for (const accountId of await reports.subjects(judgedUpTo)) await judging.judge(accountId)
      judgedUpTo = now - MAX_WRITE_DELAY_MS
      await risks.deleteExpired(now, now - policy.riskSignalDays * DAY_MS)
    },

    async blockCase(accountId: string): Promise<BlockCase | null> {
      const [lastChange] = await cases.history(accountId)
      return lastChange ? blockCaseOf(lastChange) : null
    },
  }
}
