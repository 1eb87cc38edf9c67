import { DAY_MS } from '#protocol/durations.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reports } from '../rules/ports.ts'
import { reportsWithFacts, withFacts } from './report-facts.ts'

export function createReports(db: Database): Reports {
  return {
    async add({ reporterSaw, reportedSaw, details, dueAt = null, ...report }) {
      const match = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callerSawAt', 'calleeSawAt'])
        .where('id', '=', report.session)
        .executeTakeFirst()
      const confirmedBy = (account: string) =>
        match !== undefined && (match.caller === account ? match.callerSawAt : match.calleeSawAt) !== null
      const added = await db
        .insertInto('reports')
        .values({
          ...report,
          reporterSaw: Number(reporterSaw || confirmedBy(report.reporter)),
          reportedSaw: Number(reportedSaw || confirmedBy(report.reported)),
          outcome: null,
          decidedAt: null,
          reason: details?.reason ?? null,
          note: details?.note || null,
          curtain: details?.curtain ? JSON.stringify(details.curtain) : null,
          dueAt,
        })
        .onConflict((conflict) => conflict.columns(['session', 'reporter']).doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
    },

    async keptCalls(accountId, lastedMs) {
      const rows = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callee'])
        .where((build) => build.or([build('caller', '=', accountId), build('callee', '=', accountId)]))
        .where('callerSawAt', 'is not', null)
        .where('calleeSawAt', 'is not', null)
        .where((build) => build(build('endedAt', '-', build.ref('startedAt')), '>=', lastedMs))
        .execute()
      return new Set(rows.map(({ caller, callee }) => (caller === accountId ? callee : caller))).size
    },

    async recordOf(reporter, now) {
      const { upheld, dismissed, earlierToday } = await db
        .selectFrom('reports')
        .select(({ fn }) => [
          fn.count<number>('session').filterWhere('outcome', '=', 'upheld').as('upheld'),
          fn.count<number>('session').filterWhere('outcome', '=', 'dismissed').as('dismissed'),
          fn
            .count<number>('session')
            .filterWhere('at', '>', now - DAY_MS)
            .as('earlierToday'),
        ])
        .where('reporter', '=', reporter)
        .executeTakeFirstOrThrow()
      return { upheld: Number(upheld), dismissed: Number(dismissed), earlierToday: Number(earlierToday) }
    },

    async open(reported, since) {
      const rows = await reportsWithFacts(db)
        .where('report.reported', '=', reported)
        .where('report.outcome', 'is', null)
        .where('report.at', '>=', since)
        .execute()
      return rows.map(withFacts)
    },

    async subjects(since) {
      const rows = await db.selectFrom('reports').select('reported').distinct().where('at', '>=', since).execute()
      return rows.map(({ reported }) => reported)
    },
  }
}
