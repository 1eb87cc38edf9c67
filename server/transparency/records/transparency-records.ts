import type { Transaction } from 'kysely'
import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'
import { type TransparencyReport, transparencyReportSchema } from '#protocol/transparency.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { monthsOf, type Period } from '../rules/period.ts'
import type { TransparencyRecords } from '../rules/ports.ts'

const storedSchema = v.pipe(v.string(), v.parseJson(), transparencyReportSchema)

/** Resolves with null, or with another published period that has one of these months. */
async function claimMonths(step: Transaction<Tables>, { from, to }: Period): Promise<Period | null> {
  const months = monthsOf({ from, to })
  // A concurrent publication of one of these months waits here until the other transaction ends.
  await step
    .insertInto('transparencyMonths')
    .values(months.map((month) => ({ month, fromMonth: from, toMonth: to })))
    .onConflict((conflict) => conflict.column('month').doNothing())
    .execute()
  const other = await step
    .selectFrom('transparencyMonths')
    .select(['fromMonth as from', 'toMonth as to'])
    .where('month', 'in', months)
    .where((row) => row.or([row('fromMonth', '!=', from), row('toMonth', '!=', to)]))
    .orderBy('month')
    .executeTakeFirst()
  if (!other) return null
  // This period was never published, so its free months become free again.
  await step
    .deleteFrom('transparencyMonths')
    .where((row) => row.and({ fromMonth: from, toMonth: to }))
    .where('month', 'in', months)
    .execute()
  return other
}

async function publish(step: Transaction<Tables>, report: TransparencyReport): Promise<Period | null> {
  const other = await claimMonths(step, report)
  if (other) return other
  const { from, to, publishedAt } = report
  const isNew = await changesRow(
    step
      .insertInto('transparencyReports')
      .values({ fromMonth: from, toMonth: to, report: JSON.stringify(report), publishedAt })
      .onConflict((conflict) => conflict.columns(['fromMonth', 'toMonth']).doNothing()),
  )
  return isNew ? null : { from, to }
}

export function createTransparencyRecords(db: Database) {
  const transparency: TransparencyRecords = {
    notices: (start, end) =>
      db
        .selectFrom('reports')
        .select(['reason', 'at', 'outcome', 'decidedAt'])
        .where((row) => row.or([row.between('at', start, end - 1), row.between('decidedAt', start, end - 1)]))
        .execute(),

    contentNotices: (start, end) =>
      db
        .selectFrom('contentNotices')
        .select(['kind', 'at', 'outcome', 'answeredAt'])
        .where((row) => row.or([row.between('at', start, end - 1), row.between('answeredAt', start, end - 1)]))
        .orderBy('id')
        .execute(),

    changes: (start) =>
      db
        .selectFrom('statusChanges')
        .select(['accountId', 'fromStatus as from', 'status as to', 'actorKind as by', 'what', 'at'])
        .where('at', '>=', start)
        .orderBy('id')
        .execute(),

    publish: (report) => db.transaction().execute((step) => publish(step, report)),

    withdraw: ({ from, to }) =>
      changesRow(db.deleteFrom('transparencyReports').where((row) => row.and({ fromMonth: from, toMonth: to }))),

    async latest() {
      const reports = db.selectFrom('transparencyReports').select('report')
      const row = await reports.orderBy('toMonth', 'desc').limit(1).executeTakeFirst()
      return row ? parse(storedSchema, row.report) : null
    },
  }
  return { transparency }
}
