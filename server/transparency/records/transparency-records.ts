import * as v from 'valibot'
import { contentNoticeKindSchema, contentNoticeOutcomeSchema } from '#protocol/content-notices.ts'
import { blockStatusSchema, causeSchema } from '#protocol/moderation.ts'
import { parse, recordsOf } from '#protocol/parse.ts'
import { transparencyReportSchema } from '#protocol/transparency.ts'
import type { Database } from '../../platform/database/database.ts'
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

    async publish(report) {
      const { from, to, publishedAt } = report
      await db
        .insertInto('transparencyReports')
        .values({ fromMonth: from, toMonth: to, report: JSON.stringify(report), publishedAt })
        .execute()
    },

    async withdraw({ from, to }) {
      const { numDeletedRows } = await db
        .deleteFrom('transparencyReports')
        .where('fromMonth', '=', from)
        .where('toMonth', '=', to)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    published: () =>
      db.selectFrom('transparencyReports').select(['fromMonth as from', 'toMonth as to']).orderBy('toMonth').execute(),

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
