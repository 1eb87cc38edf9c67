import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { CamelCasePlugin, Kysely, SqliteAdapter } from 'kysely'
import { GenericSqliteWorkerDialect } from 'kysely-generic-sqlite/worker'
import { createNodeWorkerExecutor } from 'kysely-generic-sqlite/worker-helper-node'
import { closedColumnsPlugin } from './closed-columns.ts'
import { migrate } from './migrations.ts'
import { createForOwner, keepForOwner } from './owner-only.ts'
import type { Tables } from './schema.ts'
import { StoreError } from './store-error.ts'

export type Database = Kysely<Tables>

/** Turns an error that an operator can mend into one line; returns any other error as it is. */
function explain(error: unknown, folder: string): unknown {
  const message = error instanceof Error ? error.message : ''
  if (/database is locked/.test(message)) return new StoreError(`DATA_DIR ${folder} is used by another server`)
  if (/unable to open|readonly|^E(?:ACCES|EXIST|NOTDIR|ROFS|PERM)/.test(message))
    return new StoreError(`DATA_DIR must be a folder that can be written, not ${JSON.stringify(folder)}`)
  return error
}

/** Name of the file in the data folder. */
export const RECORDS_FILE = 'waggle.sqlite'

class TransactionalAdapter extends SqliteAdapter {
  /** Kysely's default is false, but SQLite rolls back a migration that was interrupted. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDialect extends GenericSqliteWorkerDialect<Worker, { file: string }> {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/**
 * Opens the SQLite file of `folder` and brings its tables up to date. The file is used in a separate thread, so that an
 * fsync does not stall the hub. No other process can use the file until it is closed.
 */
export async function openDatabase(folder: string): Promise<Database> {
  const file = join(folder, RECORDS_FILE)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // SQLite creates its other files with the mode of this file.
    await createForOwner(file)
    for (const beside of ['-wal', '-shm', '-journal']) await keepForOwner(`${file}${beside}`)
  } catch (error) {
    throw explain(error, folder)
  }
  const worker = new Worker(new URL('sqlite.worker.ts', import.meta.url), { name: 'sqlite' })
  const dialect = new SqliteDialect(createNodeWorkerExecutor({ worker, data: { file } }))
  const db: Database = new Kysely({ dialect, plugins: [new CamelCasePlugin(), closedColumnsPlugin] })
  try {
    await migrate(db)
    return db
  } catch (error) {
    await worker.terminate()
    throw explain(error, folder)
  }
}
