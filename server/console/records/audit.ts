import type { Database } from '../../platform/database/database.ts'
import type { Audit } from '../rules/ports.ts'

export function createAudit(db: Database): Audit {
  return {
    async add(entry) {
      await db.insertInto('moderationAudit').values(entry).execute()
    },

    latest: (count) =>
      db
        .selectFrom('moderationAudit')
        .select(['at', 'moderator', 'session', 'action', 'whom', 'what'])
        .orderBy('id', 'desc')
        .limit(count)
        .execute(),
  }
}
