import type { Database } from '../../platform/database/database.ts'
import type { Backlogs } from '../rules/ports.ts'

export function createBacklog(db: Database): Backlogs {
  return {
    async read() {
      const open = db
        .selectFrom('reports')
        .select(['reported as person', 'at'])
        .where('outcome', 'is', null)
        .unionAll(db.selectFrom('findings').select(['accountId as person', 'at']).where('outcome', 'is', null))
      const { people, since } = await db
        .selectFrom(open.as('open'))
        .select(({ fn }) => [fn.count<number>('person').distinct().as('people'), fn.min('at').as('since')])
        .executeTakeFirstOrThrow()
      return { people: Number(people), since: since === null ? null : Number(since) }
    },
  }
}
