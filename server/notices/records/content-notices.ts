import * as v from 'valibot'
import { CONTENT_NOTICE_NEAR_MS } from '#protocol/console-notices.ts'
import { contentNoticeKindSchema, contentNoticeOutcomeSchema } from '#protocol/content-notices.ts'
import { languageSchema } from '#protocol/fields.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ContentNotices, NoticeAnswer, StoredNotice } from '../rules/ports.ts'

const rowSchema = v.object({
  id: v.string(),
  reference: v.string(),
  kind: contentNoticeKindSchema,
  email: v.string(),
  language: languageSchema,
  day: v.string(),
  time: v.nullable(v.string()),
  description: v.string(),
  link: v.nullable(v.string()),
  signature: v.nullable(v.string()),
  isGoodFaith: v.number(),
  at: v.number(),
  dueAt: v.number(),
  outcome: v.nullable(contentNoticeOutcomeSchema),
  answer: v.nullable(v.string()),
  answeredBy: v.nullable(v.string()),
  answeredAt: v.nullable(v.number()),
  emailNextAt: v.nullable(v.number()),
  emailedAt: v.nullable(v.number()),
})

function answerOf({ outcome, answer, answeredBy, answeredAt }: v.InferOutput<typeof rowSchema>): NoticeAnswer | null {
  if (outcome === null || answer === null || answeredBy === null || answeredAt === null) return null
  return { outcome, text: answer, at: answeredAt, moderator: answeredBy }
}

function noticeOf(row: unknown): StoredNotice {
  const parsed = parse(rowSchema, row)
  const { outcome, answer, answeredBy, answeredAt, emailNextAt, ...facts } = parsed
  const isGoodFaith = facts.isGoodFaith === 1
  return { ...facts, isGoodFaith, answer: answerOf(parsed), emailIsWaiting: emailNextAt !== null }
}

export function createContentNotices(db: Database): ContentNotices {
  return {
    async add(notice) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('contentNotices')
        .values({ ...notice, isGoodFaith: Number(notice.isGoodFaith) })
        .onConflict((conflict) => conflict.column('requestKey').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async find(by, value) {
      const row = await db.selectFrom('contentNotices').selectAll().where(by, '=', value).executeTakeFirst()
      return row ? noticeOf(row) : null
    },

    async open(limit) {
      const rows = await db
        .selectFrom('contentNotices')
        .selectAll()
        .where('answeredAt', 'is', null)
        .orderBy('dueAt')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(noticeOf)
    },

    async counts(now) {
      const dueBefore = async (time: number | null) => {
        const open = db.selectFrom('contentNotices').where('answeredAt', 'is', null)
        const { count } = await (time === null ? open : open.where('dueAt', '<', time))
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return Number(count)
      }
      const [open, near, overdue] = await Promise.all([
        dueBefore(null),
        dueBefore(now + CONTENT_NOTICE_NEAR_MS),
        dueBefore(now),
      ])
      return { open, near, overdue }
    },

    async answer(id, { outcome, text, at, moderator }, emailAt) {
      const { numUpdatedRows } = await db
        .updateTable('contentNotices')
        .set({ outcome, answer: text, answeredBy: moderator, answeredAt: at, emailNextAt: emailAt })
        .where('id', '=', id)
        .where('answeredAt', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(id) {
      const { numDeletedRows } = await db.deleteFrom('contentNotices').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}
