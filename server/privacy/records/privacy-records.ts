import type { Database } from '../../platform/database/database.ts'
import { createDeletions } from './deletions.ts'
import { createExpiry } from './expiry.ts'
import { createLegalHolds } from './legal-holds.ts'
import { createPersonalData } from './personal-data.ts'

export function createPrivacyRecords(db: Database, newId: () => string) {
  return {
    deletions: createDeletions(db, newId),
    legalHolds: createLegalHolds(db),
    personalData: createPersonalData(db),
    expiry: createExpiry(db),
  }
}
