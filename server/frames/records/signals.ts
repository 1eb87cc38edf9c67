import type { Database } from '../../platform/database/database.ts'
import { heldAccounts } from '../../privacy/records/held.ts'
import type { Signals } from '../rules/ports.ts'

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
