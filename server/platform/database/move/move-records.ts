import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Config } from '../../../config/config.ts'
import { openSqlite, RECORDS_FILE } from '../database.ts'
import { appliedMigrations, endMove, migrateForMove } from '../migrations.ts'
import { openPatientPool, translateMigrations } from '../postgres.ts'
import { noLog, type PostgresSettings, poolForKysely } from '../postgres-pool.ts'
import { StoreError } from '../store-error.ts'
import { Fingerprint } from './fingerprint.ts'
import { expectNoOtherSecrets, secretsToPostgres, secretsToSqlite } from './move-secrets.ts'
import { continueNumbers, lockTables, postgresSide, type Watch, watchConnections } from './postgres-side.ts'
import { checkContents, sqliteSide, sqliteTableNames } from './sqlite-side.ts'
import { countRows, readTables, type Side, type Table } from './tables.ts'

/**
 * Copies all records from SQLite to PostgreSQL or back, in one transaction of the target, and compares them before it is committed. The
 * source stays as it is. No server can start on the target until it is complete.
 */

type Target = 'postgres' | 'sqlite'
type MoveOptions = {
  /** Receives lines for the operator. */
  log: (line: string) => void
  /** Time for which a PostgreSQL source is watched for servers. */
  watchMs?: number
}
type Databases = { sqlite: Kysely<unknown>; postgres: Kysely<unknown> }

/** More than the time in which each server opens a connection; see `watchConnections`. */
const WATCH_MS = 75_000

async function openBoth(dataDir: string, settings: PostgresSettings): Promise<Databases> {
  const sqlite = await openSqlite<unknown>(dataDir, async (db) => void (await sql`select 1`.execute(db)))
  try {
    // One for the transaction, one to watch.
    const pool = await openPatientPool({ ...settings, poolSize: 2 })
    return { sqlite, postgres: new Kysely({ dialect: new PostgresDialect({ pool: poolForKysely(pool, noLog) }) }) }
  } catch (error) {
    await sqlite.destroy()
    throw error
  }
}

async function expectEmpty(db: Kysely<unknown>, names: string[]): Promise<void> {
  for (const name of names)
    if ((await countRows(db, { name })) > 0)
      throw new StoreError(`The target must be empty, but it has rows in ${name}: use another one`)
}

/** Copies a table and compares what the target then has. Resolves with the number of rows. */
async function copyTable(table: Table, source: Side, target: Side, look: () => Promise<void>): Promise<number> {
  const [read, written] = [new Fingerprint(), new Fingerprint()]
  for await (const rows of source.rows(table)) {
    await target.add(table, rows)
    for (const row of rows) read.add(row)
    await look()
  }
  for await (const rows of target.rows(table)) {
    for (const row of rows) written.add(row)
    await look()
  }
  if (!read.equals(written)) throw new StoreError(`The copy of ${table.name} differs: nothing was moved`)
  return read.count
}

function describeAltered(altered: ReadonlyMap<string, number>): string[] {
  return [...altered].map(
    ([column, count]) => `${column}: in ${count} rows, characters that PostgreSQL cannot store were replaced by U+FFFD`,
  )
}

type Copying = { to: Target; config: Config; tables: Table[]; watch: Watch } & Required<MoveOptions>

/** Copies everything between two transactions. Resolves with the number of rows. */
async function copyAll(sqlite: Kysely<unknown>, postgres: Kysely<unknown>, copying: Copying): Promise<number> {
  const { to, config, tables, watch, watchMs, log } = copying
  const [source, target] = to === 'postgres' ? [sqlite, postgres] : [postgres, sqlite]
  await lockTables(postgres, tables, to === 'postgres' ? 'target' : 'source')
  await watch.begin(postgres)
  await expectEmpty(
    target,
    tables.map(({ name }) => name),
  )
  await checkContents(sqlite, tables)
  const altered = new Map<string, number>()
  const ours = sqliteSide(sqlite, (column) => altered.set(column, (altered.get(column) ?? 0) + 1))
  const theirs = postgresSide(postgres)
  const copy = (table: Table) =>
    // A server that starts on the target is refused by its mark, one that wrote to the source would lose that.
    to === 'postgres' ? copyTable(table, ours, theirs, async () => {}) : copyTable(table, theirs, ours, watch.look)
  let all = 0
  for (const table of tables) {
    const count = await copy(table)
    if (count !== (await countRows(source, table))) throw new StoreError(`Not all rows of ${table.name} were read`)
    log(`${table.name}: ${count} rows`)
    all += count
  }
  for (const line of describeAltered(altered)) log(line)
  if (to === 'postgres') await continueNumbers(postgres, tables)
  await (to === 'postgres' ? secretsToPostgres(config, postgres, log) : secretsToSqlite(config, postgres))
  if (to === 'sqlite') await watch.end(watchMs)
  await endMove(target)
  return all
}

async function move(to: Target, config: Config, databases: Databases, options: Required<MoveOptions>): Promise<number> {
  const { sqlite, postgres } = databases
  const watch = watchConnections(postgres)
  await watch.expectNone()
  const names = await appliedMigrations(to === 'postgres' ? sqlite : postgres)
  if (to === 'postgres') {
    await expectEmpty(
      postgres,
      (await readTables(postgres)).map(({ name }) => name),
    )
    await migrateForMove(postgres.withPlugin(translateMigrations), names)
  } else {
    await expectEmpty(sqlite, await sqliteTableNames(sqlite))
    await expectNoOtherSecrets(config, postgres)
    await migrateForMove(sqlite, names)
  }
  const tables = await readTables(postgres)
  return postgres
    .transaction()
    .execute((there) =>
      sqlite.transaction().execute((here) => copyAll(here, there, { to, config, tables, watch, ...options })),
    )
}

/** Resolves with the number of rows. Rejects with StoreError, and leaves the target without records then. */
export async function moveRecords(
  to: Target,
  config: Config,
  { log, watchMs = WATCH_MS }: MoveOptions,
): Promise<number> {
  const { dataDir, database } = config
  if (!database) throw new StoreError('DATABASE_URL must name the PostgreSQL database')
  if (to === 'postgres' && !existsSync(join(dataDir, RECORDS_FILE)))
    throw new StoreError(`There are no records in DATA_DIR ${dataDir}`)
  const databases = await openBoth(dataDir, database)
  try {
    return await move(to, config, databases, { log, watchMs })
  } finally {
    await databases.sqlite.destroy()
    await databases.postgres.destroy()
  }
}
