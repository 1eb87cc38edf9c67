import type { PriorityReason } from '#protocol/reports.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Backlog, PriorityCases } from '../rules/metrics.ts'
import type { Countries, Logs } from '../rules/ports.ts'

/** Log entries that are kept; log batches need no login, so that their number must be limited. */
const ENTRIES_KEPT = 100_000
/** SQLite binds at most 32,766 values in a statement. */
const ROWS_AT_ONCE = 500

function createLogs(db: Database): Logs {
  return {
    add(entries, key, at) {
      return db.transaction().execute(async (step) => {
        const session = entries[0]?.userSessionId
        if (session === undefined) return true
        if (key !== null) {
          const batch = step
            .insertInto('logBatches')
            .values({ session, key, at })
            .onConflict((conflict) => conflict.columns(['session', 'key']).doNothing())
          if (!(await changesRow(batch))) return false
        }
        const rows = entries.map((entry) => ({
          session: entry.userSessionId,
          level: entry.logLevel,
          message: entry.logMessage,
          platform: entry.platform,
          dateTime: entry.dateTime,
          at,
        }))
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
          await step
            .insertInto('logEntries')
            .values(rows.slice(start, start + ROWS_AT_ONCE))
            .execute()
        await step
          .deleteFrom('logEntries')
          .where('id', '<=', (build) =>
            build.selectFrom('logEntries').select((inner) => inner(inner.fn.max('id'), '-', ENTRIES_KEPT).as('oldest')),
          )
          .execute()
        return true
      })
    },
  }
}

function createBacklog(db: Database) {
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
    async read(): Promise<Backlog> {
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

    async readPriority(now: number): Promise<PriorityCases> {
      const [minors, intimate] = await Promise.all([
        countsOf('under-18', now),
        countsOf('intimate-without-consent', now),
      ])
      return { 'under-18': minors, 'intimate-without-consent': intimate }
    },
  }
}

function createCountries(db: Database): Countries {
  return {
    async of(sessionId) {
      const row = await db
        .selectFrom('ipDetails')
        .select('country')
        .where('sessionId', '=', sessionId)
        .executeTakeFirst()
      return row?.country ?? null
    },
  }
}

export function createOperationsRecords(db: Database) {
  return { backlog: createBacklog(db), countries: createCountries(db), logs: createLogs(db) }
}
