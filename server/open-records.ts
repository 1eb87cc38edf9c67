import { randomUUID } from 'node:crypto'
import type { Config } from './config.ts'
import type { Store } from './domain/ports.ts'
import { openSharedStore, openStore } from './store/open-store.ts'
import type { PoolLog } from './store/postgres-pool.ts'

/** The records where the configuration says that they are. Rejects with StoreError. */
export function openRecords({ database, dataDir }: Config, log?: PoolLog): Promise<Store> {
  return database ? openSharedStore(database, randomUUID, log) : openStore(dataDir, randomUUID)
}
