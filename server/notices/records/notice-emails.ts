import type { Database } from '../../platform/database/database.ts'
import type { NoticeEmails } from '../rules/ports.ts'

/** Emails that one read returns at most. */
const BATCH_SIZE = 50

/** The emails with the answers, which are columns of the notices. */
export function createNoticeEmails(db: Database): NoticeEmails {
  return {
    due: (now) =>
      db
        .selectFrom('contentNotices')
        .select(['id', 'emailAttempts as attempts'])
        .where('emailNextAt', '<=', now)
        .orderBy('emailNextAt')
        .limit(BATCH_SIZE)
        .execute(),

    async reserve(id, now, until) {
      const { numUpdatedRows } = await db
        .updateTable('contentNotices')
        .set({ emailNextAt: until })
        .where('id', '=', id)
        .where('emailNextAt', '<=', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(id) {
      await db.updateTable('contentNotices').set({ emailNextAt: null }).where('id', '=', id).execute()
    },

    async postpone(id, until) {
      await db
        .updateTable('contentNotices')
        .set((build) => ({ emailNextAt: until, emailAttempts: build('emailAttempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },

    async setSent(id, at) {
      await db.updateTable('contentNotices').set({ emailedAt: at }).where('id', '=', id).execute()
    },
  }
}
