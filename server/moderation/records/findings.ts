import type { Database } from '../../platform/database/database.ts'
import type { Findings } from '../rules/ports.ts'

export function createFindings(db: Database): Findings {
  return {
    async add(accountId, finding) {
      await db
        .insertInto('findings')
        .values({ ...finding, accountId, outcome: null, decidedAt: null })
        .execute()
    },

    async count(accountId, since, score) {
      const row = await db
        .selectFrom('findings')
        .select((build) => build.fn.countAll<number>().as('found'))
        .where('accountId', '=', accountId)
        .where('outcome', 'is', null)
        .where('at', '>=', since)
        .where('score', '>=', score)
        .executeTakeFirstOrThrow()
      return Number(row.found)
    },
  }
}
