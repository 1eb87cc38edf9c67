import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { checkDatabaseCa } from '../../config/certificates.ts'
import type { Config } from '../../config/config.ts'
import { type Database, openDatabase } from './database.ts'
import { guardAll } from './guarded.ts'
import { createForOwner } from './owner-only.ts'
import { openPostgres, pingPostgres } from './postgres.ts'
import { noLog, type PoolLog, type PostgresSettings } from './postgres-pool.ts'

/** An open database, in which every feature creates its own records. */
export type RecordsDatabase = {
  /** Returns the records that `create` makes of the database, by name. */
  records<R extends Record<string, object>>(create: (db: Database, newId: () => string) => R): R
  /** Resolves while the database can be read and written. */
  ping(): Promise<void>
  /** Copies everything into a new file while other statements wait; null for a database that has its own tools for copies. */
  copyTo: ((file: string) => Promise<void>) | null
  close(): Promise<void>
}

/** Opens the SQLite file of `folder`. Rejects with StoreError while another server holds it. */
export async function openOwnDatabase(folder: string, newId: () => string): Promise<RecordsDatabase> {
  const db = await openDatabase(folder)
  return {
    records: (create) => create(db, newId),
    ping: async () => void (await sql`select 1`.execute(db)),
    async copyTo(file) {
      // SQLite fills the empty file and keeps its mode.
      await createForOwner(file)
      await sql`vacuum into ${file}`.execute(db)
    },
    close: () => db.destroy(),
  }
}

/** Opens a PostgreSQL database that other servers use too. While it is away, every method of its records rejects with `unavailable`. */
export async function openSharedDatabase(
  settings: PostgresSettings,
  newId: () => string,
  log = noLog,
): Promise<RecordsDatabase> {
  const db = await openPostgres(settings, log)
  return {
    records: (create) => guardAll(create(db, newId)),
    ping: () => pingPostgres(db),
    copyTo: null,
    close: () => db.destroy(),
  }
}

/** Opens the database that the configuration names. Rejects with StoreError or ConfigError. */
export async function openConfiguredDatabase({ database, dataDir }: Config, log?: PoolLog): Promise<RecordsDatabase> {
  if (database) checkDatabaseCa(database.url)
  return database ? openSharedDatabase(database, randomUUID, log) : openOwnDatabase(dataDir, randomUUID)
}
