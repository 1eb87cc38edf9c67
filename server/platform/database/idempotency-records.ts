import type { IdempotencyId, IdempotencyRecords } from '../rules/idempotency.ts'
import type { Database } from './database.ts'

const row = ({ account, endpoint, key }: IdempotencyId) => ({ accountId: account, call: endpoint, key })

export function createIdempotencyRecords(db: Database): IdempotencyRecords {
  return {
    async claim(id, { owner, now, until, freeRepeats }) {
      const claimed = { owner, answer: null, freeRepeats, expiresAt: until }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('repeats')
        .values({ ...row(id), ...claimed })
        .onConflict((conflict) =>
          conflict.columns(['accountId', 'call', 'key']).doUpdateSet(claimed).where('repeats.expiresAt', '<=', now),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 1n) return 'ours'
      const known = await db
        .selectFrom('repeats')
        .select('answer')
        .where((build) => build.and(row(id)))
        .executeTakeFirst()
      return known && known.answer !== null ? { result: known.answer } : 'taken'
    },

    async complete(id, owner, result, until) {
      await db
        .updateTable('repeats')
        .set({ answer: result, expiresAt: until })
        .where((build) => build.and({ ...row(id), owner }))
        .execute()
    },

    async release(id, owner) {
      await db
        .deleteFrom('repeats')
        .where((build) => build.and({ ...row(id), owner }))
        .execute()
    },

    async takeFreeRepeat(id, now) {
      const { numUpdatedRows } = await db
        .updateTable('repeats')
        .set((build) => ({ freeRepeats: build('freeRepeats', '-', 1) }))
        .where((build) => build.and(row(id)))
        .where('freeRepeats', '>', 0)
        .where('expiresAt', '>', now)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async deleteExpired(now) {
      await db.deleteFrom('repeats').where('expiresAt', '<=', now).execute()
    },
  }
}
