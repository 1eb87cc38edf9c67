import type { RepeatId, RepeatRecords } from '../rules/idempotency.ts'
import type { Database } from './database.ts'

const row = ({ account, call, key }: RepeatId) => ({ accountId: account, call, key })

export function createRepeatRecords(db: Database): RepeatRecords {
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
      return known && known.answer !== null ? { answer: known.answer } : 'taken'
    },

    async answer(id, owner, answer, until) {
      await db
        .updateTable('repeats')
        .set({ answer, expiresAt: until })
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

    async forget(now) {
      await db.deleteFrom('repeats').where('expiresAt', '<=', now).execute()
    },
  }
}
