import type { Reports } from '../domain/ports.ts'
import type { Database } from './database.ts'

export function createReports(db: Database): Reports {
  return {
    async add(report) {
      const added = await db
        .insertInto('reports')
        .values(report)
        .onConflict((conflict) => conflict.columns(['session', 'reporter']).doNothing())
        .executeTakeFirst()
      return added.numInsertedOrUpdatedRows === 1n
    },

    async distinctReporters(reported, since) {
      const row = await db
        .selectFrom('reports')
        .select((build) => build.fn.count<number>('reporter').distinct().as('reporters'))
        .where('reported', '=', reported)
        .where('at', '>=', since)
        .executeTakeFirstOrThrow()
      return row.reporters
    },
  }
}
