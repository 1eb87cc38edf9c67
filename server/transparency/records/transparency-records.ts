import * as v from 'valibot'
import { contentNoticeKindSchema, contentNoticeOutcomeSchema } from '#protocol/content-notices.ts'
import { blockStatusSchema, causeSchema } from '#protocol/moderation.ts'
import { parse, recordsOf } from '#protocol/parse.ts'
import { transparencyReportSchema } from '#protocol/transparency.ts'
import type { Database } from '../../platform/database/database.ts'
import { monthsOf } from '../rules/period.ts'
import type { TransparencyRecords } from '../rules/ports.ts'

const noticesSchema = recordsOf(
  v.object({
    reason: v.nullable(v.string()),
    at: v.number(),
    outcome: v.nullable(v.picklist(['upheld', 'dismissed'])),
    decidedAt: v.nullable(v.number()),
  }),
)
const contentNoticesSchema = recordsOf(
  v.object({
    kind: contentNoticeKindSchema,
    at: v.number(),
    outcome: v.nullable(contentNoticeOutcomeSchema),
    answeredAt: v.nullable(v.number()),
  }),
)
const changesSchema = recordsOf(
  v.object({
    accountId: v.string(),
    from: blockStatusSchema,
    to: blockStatusSchema,
    by: v.picklist(['policy', 'classifier', 'user', 'moderator', 'age', 'ban', 'earlier-case', 'time']),
    what: causeSchema,
    at: v.number(),
  }),
)
const storedSchema = v.pipe(v.string(), v.parseJson(), transparencyReportSchema)

function createTransparency(db: Database): TransparencyRecords {
  return {
    async notices(start, end) {
      const rows = await db
        .selectFrom('reports')
        .select(['reason', 'at', 'outcome', 'decidedAt'])
        .where((row) =>
          row.or([
            row.and([row('at', '>=', start), row('at', '<', end)]),
            row.and([row('decidedAt', '>=', start), row('decidedAt', '<', end)]),
          ]),
        )
        .execute()
      return parse(noticesSchema, rows)
    },

    async contentNotices(start, end) {
      const rows = await db
        .selectFrom('contentNotices')
        .select(['kind', 'at', 'outcome', 'answeredAt'])
        .where((row) =>
          row.or([
            row.and([row('at', '>=', start), row('at', '<', end)]),
            row.and([row('answeredAt', '>=', start), row('answeredAt', '<', end)]),
          ]),
        )
        .orderBy('id')
        .execute()
      return parse(contentNoticesSchema, rows)
    },

    async changes(start) {
      const rows = await db
        .selectFrom('statusChanges')
        .select(['accountId', 'fromStatus as from', 'status as to', 'actorKind as by', 'what', 'at'])
        .where('at', '>=', start)
        .orderBy('id')
        .execute()
      return parse(changesSchema, rows)
    },

    publish: (report) =>
      db.transaction().execute(async (step) => {
        const { from, to, publishedAt } = report
        const months = monthsOf(report)
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
        if (other) {
          // This period was never published, so its free months become free again.
          await step
            .deleteFrom('transparencyMonths')
            .where('fromMonth', '=', from)
            .where('toMonth', '=', to)
            .where('month', 'in', months)
            .execute()
          return other
        }
        const { numInsertedOrUpdatedRows } = await step
          .insertInto('transparencyReports')
          .values({ fromMonth: from, toMonth: to, report: JSON.stringify(report), publishedAt })
          .onConflict((conflict) => conflict.columns(['fromMonth', 'toMonth']).doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? null : { from, to }
      }),

    async withdraw({ from, to }) {
      const { numDeletedRows } = await db
        .deleteFrom('transparencyReports')
        .where('fromMonth', '=', from)
        .where('toMonth', '=', to)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async latest() {
      const row = await db
        .selectFrom('transparencyReports')
        .select('report')
        .orderBy('toMonth', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ? parse(storedSchema, row.report) : null
    },
  }
}

export function createTransparencyRecords(db: Database) {
  return { transparency: createTransparency(db) }
}
