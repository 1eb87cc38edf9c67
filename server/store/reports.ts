import type { Reports } from '../domain/ports.ts'
import type { Database } from './database.ts'
import { reportsWithFacts, withFacts } from './report-facts.ts'

export function createReports(db: Database): Reports {
  return {
    async add(report) {
      const added = await db
        .insertInto('reports')
        .values({ ...report, outcome: null, decidedAt: null })
        .onConflict((conflict) => conflict.columns(['session', 'reporter']).doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
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
