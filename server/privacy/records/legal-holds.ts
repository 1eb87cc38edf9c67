import { asciiLower } from '../../platform/database/ascii-lower.ts'
import type { Database } from '../../platform/database/database.ts'
import type { LegalHolds } from '../rules/ports.ts'

export function createLegalHolds(db: Database): LegalHolds {
  return {
    async set(hold) {
      const { reason, setBy, at } = hold
      await db
        .insertInto('legalHolds')
        .values(hold)
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ reason, setBy, at }))
        .execute()
    },

    async release(accountId) {
      const released = await db.deleteFrom('legalHolds').where('accountId', '=', accountId).executeTakeFirst()
      return released.numDeletedRows > 0n
    },

    all: () => db.selectFrom('legalHolds').selectAll().orderBy('at').execute(),

    accountsOf: (email) =>
      db
        .selectFrom('accounts')
        .select(['id', 'provider'])
        .where((build) => build(build.fn<string>('lower', ['email']), '=', asciiLower(email)))
        .execute(),
  }
}
