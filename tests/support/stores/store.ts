import { createAccountRecords } from '../../../server/accounts/records/account-records.ts'
import type { Config } from '../../../server/config/config.ts'
import { createConsoleRecords } from '../../../server/console/records/console-records.ts'
import { createFrameRecords } from '../../../server/frames/records/frame-records.ts'
import { createMatchingRecords } from '../../../server/matching/records/matching-records.ts'
import { createModerationRecords } from '../../../server/moderation/records/moderation-records.ts'
import { createNoticeRecords } from '../../../server/notices/records/notice-records.ts'
import { createOperationsRecords } from '../../../server/operations/records/operations-records.ts'
import type { PostgresSettings } from '../../../server/platform/database/postgres-pool.ts'
import {
  createPlatformRecords,
  openConfiguredDatabase,
  openOwnDatabase,
  openSharedDatabase,
  type RecordsDatabase,
} from '../../../server/platform/database/records-database.ts'
import { createPrivacyRecords } from '../../../server/privacy/records/privacy-records.ts'
import { createTransparencyRecords } from '../../../server/transparency/records/transparency-records.ts'
import { createWordRecords } from '../../../server/words/records/word-records.ts'
import { createLoginFixtures } from './login-fixtures.ts'

/** A database with the records of every feature. */
export type Store = ReturnType<typeof storeIn>

function storeIn(database: RecordsDatabase) {
  return {
    ...database,
    ...database.records(createAccountRecords),
    ...database.records(createConsoleRecords),
    ...database.records(createFrameRecords),
    ...database.records(createLoginFixtures),
    ...database.records(createMatchingRecords),
    ...database.records(createModerationRecords),
    ...database.records(createNoticeRecords),
    ...database.records(createOperationsRecords),
    ...database.records(createPlatformRecords),
    ...database.records(createPrivacyRecords),
    ...database.records(createTransparencyRecords),
    ...database.records(createWordRecords),
  }
}

/** The records in the SQLite file of `folder`. */
export async function openStore(folder: string, newId: () => string): Promise<Store> {
  return storeIn(await openOwnDatabase(folder, newId))
}

/** The records in a PostgreSQL database. */
export async function openSharedStore(settings: PostgresSettings, newId: () => string): Promise<Store> {
  return storeIn(await openSharedDatabase(settings, newId))
}

/** The records of a server with this configuration. */
export async function openRecords(config: Config): Promise<Store> {
  return storeIn(await openConfiguredDatabase(config))
}
