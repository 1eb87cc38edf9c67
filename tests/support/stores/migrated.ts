import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { openDatabase, RECORDS_FILE } from '../../../server/platform/database/database.ts'
import { openPostgres } from '../../../server/platform/database/postgres.ts'
import { noLog } from '../../../server/platform/database/postgres-pool.ts'
import { newDatabase } from '../servers/postgres.ts'

/** Copies of migrated databases without records: the migrations would take half of the start of a test's server. */

/** The SQLite file, migrated once a process. */
let file: Promise<Buffer> | undefined

async function migrateFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'migrated-'))
  const database = await openDatabase(folder)
  await database.destroy()
  const bytes = await readFile(join(folder, RECORDS_FILE))
  await rm(folder, { recursive: true })
  return bytes
}

/** Creates a temporary data folder with a migrated database. Resolves with its path. */
export async function migratedFolder(): Promise<string> {
  file ??= migrateFile()
  const folder = await mkdtemp(join(tmpdir(), 'server-test-'))
  await writeFile(join(folder, RECORDS_FILE), await file, { mode: 0o600 })
  return folder
}

/** Names of the migrated databases, by the port of their PostgreSQL. */
const templates = new Map<number, Promise<string>>()

async function migrateTemplate(port: number): Promise<string> {
  const url = await newDatabase(port)
  const database = await openPostgres({ url, poolSize: 1, timeoutMs: WAIT_MS }, noLog)
  await database.destroy()
  return new URL(url).pathname.slice(1)
}

/** Creates a migrated database in the PostgreSQL on `port`. Resolves with its URL. */
export async function migratedDatabase(port: number): Promise<string> {
  const template = templates.get(port) ?? migrateTemplate(port)
  templates.set(port, template)
  return newDatabase(port, port, await template)
}
