import type { IdempotencyId, IdempotencyRecords } from '../rules/idempotency.ts'
import type { Database } from './database.ts'
import { changesRow } from './row-counts.ts'

const row = ({ account, endpoint, key }: IdempotencyId) => ({ accountId: account, call: endpoint, key })

function createIdempotencyRecords(db: Database): IdempotencyRecords {
  return {
    async claim(id, { owner, now, until, freeRepeats }) {
      const claimed = { owner, answer: null, freeRepeats, expiresAt: until }
      const claiming = db
        .insertInto('repeats')
        .values({ ...row(id), ...claimed })
        .onConflict((conflict) =>
          conflict.columns(['accountId', 'call', 'key']).doUpdateSet(claimed).where('repeats.expiresAt', '<=', now),
        )
      if (await changesRow(claiming)) return 'ours'
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

    takeFreeRepeat: (id, now) =>
      changesRow(
        db
          .updateTable('repeats')
          .set((build) => ({ freeRepeats: build('freeRepeats', '-', 1) }))
          .where((build) => build.and(row(id)))
          .where('freeRepeats', '>', 0)
          .where('expiresAt', '>', now),
      ),

    async deleteExpired(now) {
      await db.deleteFrom('repeats').where('expiresAt', '<=', now).execute()
    },
  }
}

/** Secrets that are not configured, for servers that share a database. */
export function createSharedSecrets(db: Database) {
  return {
    /** Stores `made` unless there is a secret of this name. Resolves with the stored one. */
    async keep(name: string, made: string): Promise<string> {
      await db
        .insertInto('sharedSecrets')
        .values({ name, value: made })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const { value } = await db
        .selectFrom('sharedSecrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      return value
    },
  }
}
export type SharedSecrets = ReturnType<typeof createSharedSecrets>

/** The records of the platform itself. */
export function createPlatformRecords(db: Database) {
  return { idempotency: createIdempotencyRecords(db), sharedSecrets: createSharedSecrets(db) }
}
