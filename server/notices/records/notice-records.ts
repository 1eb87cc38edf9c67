import type { Selectable } from 'kysely'
import { CONTENT_NOTICE_NEAR_MS } from '#protocol/console-notices.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow, countRows } from '../../platform/database/row-counts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { ContentNotices, NoticeAnswer, NoticeEmails, StoredNotice } from '../rules/ports.ts'

/** Most emails that one read returns. */
const BATCH_SIZE = 50

type Row = Selectable<Tables['contentNotices']>

function answerOf({ outcome, answer, answeredBy, answeredAt }: Row): NoticeAnswer | null {
  if (outcome === null || answer === null || answeredBy === null || answeredAt === null) return null
  return { outcome, text: answer, at: answeredAt, moderator: answeredBy }
}

function noticeOf(row: Row): StoredNotice {
  const { outcome, answeredBy, answeredAt, emailNextAt, emailAttempts, requestKey, isGoodFaith, ...facts } = row
  return { ...facts, isGoodFaith: isGoodFaith === 1, answer: answerOf(row), emailIsWaiting: emailNextAt !== null }
}

function createContentNotices(db: Database): ContentNotices {
  const open = () => db.selectFrom('contentNotices').where('answeredAt', 'is', null)
  return {
    add: (notice) =>
      changesRow(
        db
          .insertInto('contentNotices')
          .values({ ...notice, isGoodFaith: Number(notice.isGoodFaith) })
          .onConflict((conflict) => conflict.column('requestKey').doNothing()),
      ),

    async find(by, value) {
      const row = await db.selectFrom('contentNotices').selectAll().where(by, '=', value).executeTakeFirst()
      return row ? noticeOf(row) : null
    },

    async open(limit) {
      const rows = await open().selectAll().orderBy('dueAt').orderBy('id').limit(limit).execute()
      return rows.map(noticeOf)
    },

    async counts(now) {
      const dueBefore = (time: number) => countRows(open().where('dueAt', '<', time))
      const counts = [countRows(open()), dueBefore(now + CONTENT_NOTICE_NEAR_MS), dueBefore(now)] as const
      const [all, near, overdue] = await Promise.all(counts)
      return { open: all, near, overdue }
    },

    answer: (id, { outcome, text, at, moderator }, emailAt) =>
      changesRow(
        db
          .updateTable('contentNotices')
          .set({ outcome, answer: text, answeredBy: moderator, answeredAt: at, emailNextAt: emailAt })
          .where('id', '=', id)
          .where('answeredAt', 'is', null),
      ),

    remove: (id) => changesRow(db.deleteFrom('contentNotices').where('id', '=', id)),
  }
}

/** The emails with the answers, which are columns of the notices. */
function createNoticeEmails(db: Database): NoticeEmails {
  const update = (id: string) => db.updateTable('contentNotices').where('id', '=', id)
  return {
    due: (now) =>
      db
        .selectFrom('contentNotices')
        .select(['id', 'emailAttempts as attempts'])
        .where('emailNextAt', '<=', now)
        .orderBy('emailNextAt')
        .limit(BATCH_SIZE)
        .execute(),

    reserve: (id, now, until) => changesRow(update(id).set({ emailNextAt: until }).where('emailNextAt', '<=', now)),

    async remove(id) {
      await update(id).set({ emailNextAt: null }).execute()
    },

    async postpone(id, until) {
      await update(id)
        .set((build) => ({ emailNextAt: until, emailAttempts: build('emailAttempts', '+', 1) }))
        .execute()
    },

    async setSent(id, at) {
      await update(id).set({ emailedAt: at }).execute()
    },
  }
}

export function createNoticeRecords(db: Database) {
  return { contentNotices: createContentNotices(db), noticeEmails: createNoticeEmails(db) }
}
