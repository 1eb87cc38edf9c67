import type { BlockStatus } from '#protocol/fields.ts'
import type { Accounts, Clock, Relations, Reports, TakeReport } from './ports.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** How many different people must report somebody within the window for each step. */
export type ReportPolicy = { reportsToWarn: number; reportsToSuspend: number; windowDays: number }

/** Reports alone lead no further than Appeal, and never change what a moderator decides about. */
export function statusAfterReports(status: BlockStatus, reporters: number, policy: ReportPolicy): BlockStatus {
  if (status !== 'Valid' && status !== 'Warning') return status
  if (reporters >= policy.reportsToSuspend) return 'Appeal'
  return reporters >= policy.reportsToWarn ? 'Warning' : status
}

/** Null where there is nothing to appeal against. */
export function statusAfterAppeal(status: BlockStatus): BlockStatus | null {
  return status === 'Appeal' ? 'InReview' : null
}

export function createTakeReport(deps: {
  accounts: Accounts
  relations: Relations
  reports: Reports
  clock: Clock
  policy: ReportPolicy
}): TakeReport {
  const { accounts, relations, reports, clock, policy } = deps

  async function judge(reported: string): Promise<void> {
    const account = await accounts.find(reported)
    if (!account) return
    const reporters = await reports.distinctReporters(reported, clock.now() - policy.windowDays * DAY_MS)
    const status = statusAfterReports(account.status, reporters, policy)
    if (status !== account.status)
      await accounts.setStatus(reported, status, 'policy', `${reporters} people reported`, clock.now())
  }

  return async (report) => {
    if (report.type === 'BlockAndReport') await relations.block(report.reporter, report.reported, report.at)
    if (!(await reports.add(report))) return false
    await judge(report.reported)
    return true
  }
}
