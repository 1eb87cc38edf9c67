import type { Audit } from '../../domain/console-ports.ts'
import type { Database } from '../database.ts'

export function createAudit(db: Database): Audit {
  return {
    async add(line) {
      await db.insertInto('moderationAudit').values(line).execute()
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
