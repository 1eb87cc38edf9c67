import { type SqlBool, sql } from 'kysely'
import type { ReportReason } from '#protocol/reports.ts'
import type { Database } from '../../platform/database/database.ts'
import { BATCH_MS } from '../rules/report-weight.ts'

/** Parts of SQL statements about a reporter. A `Column` is a column of the outer statement that holds an account's id. */
type Column = `${string}.${string}`

export const MINOR: ReportReason = 'under-18'

export const countOf = sql<number>`count(*)`

/** Selects rows if the two accounts have signed in from one network. */
export function sharedNetworks(db: Database, one: Column, other: Column) {
  return db
    .selectFrom('riskSignals as ours')
    .innerJoin('riskSignals as theirs', (join) =>
      join.onRef('theirs.digest', '=', 'ours.digest').onRef('theirs.kind', '=', 'ours.kind'),
    )
    .select('ours.digest')
    .where('ours.kind', '=', 'address')
    .where('ours.accountId', '=', sql.ref<string>(one))
    .where('theirs.accountId', '=', sql.ref<string>(other))
}

/** Selects the `credit` of `ReportFacts`; null if the reporter has none. */
export function creditOf(db: Database, reporter: Column) {
  const aboutTheSame = db
    .selectFrom('reports as same')
    .select(countOf.as('count'))
    .where('same.reported', '=', sql.ref<string>('proven.reported'))
    .where('same.outcome', '=', 'upheld')
  return db
    .selectFrom('reports as proven')
    .innerJoin('accounts as ours', (join) => join.on('ours.id', '=', sql.ref<string>(reporter)))
    .innerJoin('accounts as theirs', 'theirs.id', 'proven.reported')
    .select(sql<number | string | null>`sum(1.0 / ${aboutTheSame})`.as('sum'))
    .where('proven.reporter', '=', sql.ref<string>(reporter))
    .where('proven.outcome', '=', 'upheld')
    .where((proven) => proven.not(proven.exists(sharedNetworks(db, reporter, 'proven.reported'))))
    .where((proven) =>
      proven.or([
        proven('theirs.provider', '<>', proven.ref('ours.provider')),
        sql<SqlBool>`abs(${sql.ref('theirs.createdAt')} - ${sql.ref('ours.createdAt')}) >= ${BATCH_MS}`,
      ]),
    )
}

/**
 * True of kept reports `past` whose original report is deleted. After a cancelled deletion of an account, the original
 * and the kept report both exist.
 */
export const isOnlyKept = sql<SqlBool>`not exists (select 1 from reports as live
  where live.session = "past"."session" and live.reporter = "past"."account_id")`

/** Counts the reporter's dismissed reports, those of an earlier account included; with `reason`, only reports for that reason. */
export function dismissedOf(db: Database, reporter: Column, reason?: ReportReason) {
  const now = db
    .selectFrom('reports as wrong')
    .select(countOf.as('count'))
    .where('wrong.reporter', '=', sql.ref<string>(reporter))
    .where('wrong.outcome', '=', 'dismissed')
    .$if(reason !== undefined, (query) => query.where('wrong.reason', '=', reason ?? null))
  const before = db
    .selectFrom('keptReports as past')
    .select(countOf.as('count'))
    .where('past.accountId', '=', sql.ref<string>(reporter))
    .where('past.outcome', '=', 'dismissed')
    .where(isOnlyKept)
    .$if(reason !== undefined, (query) => query.where('past.reason', '=', reason ?? null))
  return sql<number>`${now} + ${before}`
}
