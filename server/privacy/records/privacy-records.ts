import { asciiLower } from '../../platform/database/ascii-lower.ts'
import type { Database } from '../../platform/database/database.ts'
import type { LegalHolds } from '../rules/ports.ts'
import { createDeletions } from './deletions.ts'
import { createExpiry } from './expiry.ts'
import { createPersonalData } from './personal-data.ts'

function createLegalHolds(db: Database): LegalHolds {
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

export function createPrivacyRecords(db: Database, newId: () => string) {
  return {
    deletions: createDeletions(db, newId),
    legalHolds: createLegalHolds(db),
    personalData: createPersonalData(db),
    expiry: createExpiry(db),
  }
}
