import * as v from 'valibot'
import { reviewOutcomeSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../rules/ports.ts'

/** Letters that are taken up at once. */
const AT_ONCE = 50

const letterSchema = v.object({
  id: v.string(),
  accountId: v.string(),
  outcome: reviewOutcomeSchema,
  attempts: v.number(),
})

export function createOutbox(db: Database): Outbox {
  return {
    async due(now) {
      const rows = await db
        .selectFrom('outbox')
        .select(['id', 'accountId', 'outcome', 'attempts'])
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(AT_ONCE)
        .execute()
      return rows.map((row) => parse(letterSchema, row))
    },

    async take(id, now, until) {
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

    async putOff(id, until) {
      await db
        .updateTable('outbox')
        .set((build) => ({ nextAt: until, attempts: build('attempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
  }
}
