import type { Database } from '../../platform/database/database.ts'
import type { Audit } from '../rules/ports.ts'
import { createCaseFacts } from './case-facts.ts'
import { createDesk } from './desk.ts'
import { createModerators } from './moderators.ts'
import { createPreservations } from './preservations.ts'

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

export function createConsoleRecords(db: Database) {
  return {
    moderators: createModerators(db),
    audit: createAudit(db),
    desk: createDesk(db),
    preservations: createPreservations(db),
    caseFacts: createCaseFacts(db),
  }
}
