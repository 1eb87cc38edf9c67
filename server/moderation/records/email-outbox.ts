import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { EmailOutbox } from '../rules/ports.ts'

/** Most emails that one read returns. */
const BATCH_SIZE = 50

export function createEmailOutbox(db: Database): EmailOutbox {
  const update = (id: string) => db.updateTable('outbox').where('id', '=', id)
  return {
    due: (now) =>
      db
        .selectFrom('outbox')
        .select(['id', 'accountId', 'outcome', 'attempts'])
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(BATCH_SIZE)
        .execute(),

    reserve: (id, now, until) => changesRow(update(id).set({ nextAt: until }).where('nextAt', '<=', now)),

    async remove(id) {
      await db.deleteFrom('outbox').where('id', '=', id).execute()
    },

    async postpone(id, until) {
      await update(id)
        .set((build) => ({ nextAt: until, attempts: build('attempts', '+', 1) }))
        .execute()
    },
  }
}
