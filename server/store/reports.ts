import type { Reports } from '../domain/ports.ts'
import type { Database } from './database.ts'

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
      const rows = await db
        .selectFrom('reports as report')
        .select((build) => {
          const decided = (outcome: 'upheld' | 'dismissed') =>
            build
              .selectFrom('reports as earlier')
              .select((inner) => inner.fn.countAll<number>().as('count'))
              .whereRef('earlier.reporter', '=', 'report.reporter')
              .where('earlier.outcome', '=', outcome)
          return [
            'report.reporter',
            'report.at',
            'report.callMs',
            decided('upheld').as('upheld'),
            decided('dismissed').as('dismissed'),
            build
              .selectFrom('reports as first')
              .select((inner) => inner.fn.countAll<number>().as('count'))
              .whereRef('first.reporter', '=', 'report.reported')
              .whereRef('first.reported', '=', 'report.reporter')
              .whereRef('first.at', '<', 'report.at')
              .where((inner) => inner.or([inner('first.outcome', 'is', null), inner('first.outcome', '=', 'upheld')]))
              .as('answered'),
          ]
        })
        .where('report.reported', '=', reported)
        .where('report.outcome', 'is', null)
        .where('report.at', '>=', since)
        .execute()
      return rows.map(({ answered, upheld, dismissed, ...row }) => ({
        ...row,
        upheld: Number(upheld),
        dismissed: Number(dismissed),
        retaliation: Number(answered) > 0,
      }))
    },

    async subjects(since) {
      const rows = await db.selectFrom('reports').select('reported').distinct().where('at', '>=', since).execute()
      return rows.map(({ reported }) => reported)
    },
  }
}
