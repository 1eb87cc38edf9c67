import { asciiLower } from '../../platform/database/ascii-lower.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { createDeletions } from './deletions.ts'
import { createExpiry } from './expiry.ts'
import { createPersonalData } from './personal-data.ts'

type LegalHold = Tables['legalHolds']

function createLegalHolds(db: Database) {
  return {
    /** Keeps this account's data from being deleted; an existing hold takes the new reason. */
    async set(hold: LegalHold): Promise<void> {
      const { reason, setBy, at } = hold
      await db
        .insertInto('legalHolds')
        .values(hold)
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ reason, setBy, at }))
        .execute()
    },

    /** Resolves with false if there was none. */
    release: (accountId: string): Promise<boolean> =>
      changesRow(db.deleteFrom('legalHolds').where('accountId', '=', accountId)),

    all: (): Promise<LegalHold[]> => db.selectFrom('legalHolds').selectAll().orderBy('at').execute(),

    /** Resolves with the accounts with this email address, one a provider. */
    accountsOf: (email: string) =>
      db
        .selectFrom('accounts')
        .select(['id', 'provider'])
        .where((build) => build(build.fn<string>('lower', ['email']), '=', asciiLower(email)))
        .execute(),
  }
}

export type LegalHolds = ReturnType<typeof createLegalHolds>

export function createPrivacyRecords(db: Database, newId: () => string) {
  return {
    deletions: createDeletions(db, newId),
    legalHolds: createLegalHolds(db),
    personalData: createPersonalData(db),
    expiry: createExpiry(db),
  }
}
