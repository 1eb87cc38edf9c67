import * as v from 'valibot'
import { reviewOutcomeSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { EmailOutbox } from '../rules/ports.ts'

/** Emails that one read returns at most. */
const BATCH_SIZE = 50

const queuedEmailSchema = v.object({
  id: v.string(),
  accountId: v.string(),
  outcome: reviewOutcomeSchema,
  attempts: v.number(),
})

export function createEmailOutbox(db: Database): EmailOutbox {
  return {
    async due(now) {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'accountId', 'outcome', 'attempts'])
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(BATCH_SIZE)
        .execute()
      return rows.map((row) => parse(queuedEmailSchema, row))
    },

    async reserve(id, now, until) {
      const { numUpdatedRows } = await db
        .updateTable('outbox')
        .set({ nextAt: until })
        .where('id', '=', id)
        .where('nextAt', '<=', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async remove(id) {
      await db.deleteFrom('outbox').where('id', '=', id).execute()
    },

    async postpone(id, until) {
      await db
        .updateTable('outbox')
        .set((build) => ({ nextAt: until, attempts: build('attempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
  }
}
