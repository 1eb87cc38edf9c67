import type { Database } from '../../platform/database/database.ts'
import type { Relations } from '../rules/ports.ts'

export function createRelations(db: Database): Relations {
  return {
    async blockedWith(accountId) {
      const rows = await db
        .selectFrom('blocks')
        .select('whom as other')
        .where('by', '=', accountId)
        .union(db.selectFrom('blocks').select('by as other').where('whom', '=', accountId))
        .execute()
      return rows.map((row) => row.other)
    },

    async metBy(accountId) {
      const rows = await db
        .selectFrom('meetings')
        .select('second as other')
        .where('first', '=', accountId)
        .union(db.selectFrom('meetings').select('first as other').where('second', '=', accountId))
        .execute()
      return rows.map((row) => row.other)
    },

    async recordMet(a, b, at) {
      const [first, second] = a < b ? [a, b] : [b, a]
      await db
        .insertInto('meetings')
        .values({ first, second, at })
        .onConflict((conflict) => conflict.columns(['first', 'second']).doUpdateSet({ at }))
        .execute()
    },

    async block(by, whom, at) {
      await db
        .insertInto('blocks')
        .values({ by, whom, at })
        .onConflict((conflict) => conflict.columns(['by', 'whom']).doNothing())
        .execute()
    },
  }
}
