import type { Signals } from '../domain/frame-ports.ts'
import type { Database } from './database.ts'
import { heldAccounts } from './held.ts'

export function createSignals(db: Database): Signals {
  return {
    async add({ from, ...signal }) {
      await db
        .insertInto('frameSignals')
        .values({ ...signal, fromAt: from })
        .execute()
    },

    async of(accountId, limit) {
      const rows = await db
        .selectFrom('frameSignals')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id, fromAt, ...signal }) => ({ ...signal, from: fromAt }))
    },

    async expire(before) {
      const { numDeletedRows } = await db
        .deleteFrom('frameSignals')
        .where('at', '<', before)
        .where('accountId', 'not in', heldAccounts(db))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
