import { randomUUID } from 'node:crypto'
import { checkDatabaseCa } from '../../config/certificates.ts'
import type { Config } from '../../config/config.ts'
import type { Store } from './open-store.ts'
import { openSharedStore, openStore } from './open-store.ts'
import type { PoolLog } from './postgres-pool.ts'

/** The records where the configuration says that they are. Rejects with StoreError or ConfigError. */
export async function openRecords({ database, dataDir }: Config, log?: PoolLog): Promise<Store> {
  if (database) checkDatabaseCa(database.url)
  return database ? openSharedStore(database, randomUUID, log) : openStore(dataDir, randomUUID)
}
