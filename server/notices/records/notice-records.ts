import type { Database } from '../../platform/database/database.ts'
import { createContentNotices } from './content-notices.ts'
import { createNoticeEmails } from './notice-emails.ts'

export function createNoticeRecords(db: Database) {
  return { contentNotices: createContentNotices(db), noticeEmails: createNoticeEmails(db) }
}
