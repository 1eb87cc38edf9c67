import type { PriorityReason } from '#protocol/reports.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Backlogs } from '../rules/ports.ts'

export function createBacklog(db: Database): Backlogs {
  async function countsOf(reason: PriorityReason, now: number) {
    const first = db
      .selectFrom('reports')
      .select(({ fn }) => fn.min('dueAt').as('dueAt'))
      .where('reason', '=', reason)
      .where('dueAt', 'is not', null)
      .where('outcome', 'is', null)
      .groupBy('reported')
    const { all, overdue } = await db
      .selectFrom(first.as('first'))
      .select(({ fn }) => [
        fn.count<number>('dueAt').as('all'),
        fn.count<number>('dueAt').filterWhere('dueAt', '<', now).as('overdue'),
      ])
      .executeTakeFirstOrThrow()
    return { due: Number(all) - Number(overdue), overdue: Number(overdue) }
  }

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

    async readPriority(now) {
      const [minors, intimate] = await Promise.all([
        countsOf('under-18', now),
        countsOf('intimate-without-consent', now),
      ])
      return { 'under-18': minors, 'intimate-without-consent': intimate }
    },
  }
}
