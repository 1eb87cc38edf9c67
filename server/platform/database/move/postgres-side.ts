import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DatabaseError } from 'pg'
import { StoreError } from '../store-error.ts'
import { insertRows, pageSize, type Side, type Table, type Value } from './tables.ts'

/** Time in which connections that are just ending may go. */
const ENDING_MS = 5_000
const LOOK_EVERY_MS = 500
/** SQLSTATE of a lock that another connection holds. */
const LOCK_NOT_AVAILABLE = '55P03'

/** Watches the connections of others to a PostgreSQL database. */
export type Watch = {
  /** Rejects with StoreError if there is another connection, after the time that one needs to end. */
  expectNone(): Promise<void>
  /** From now on, `look` rejects with StoreError if there is another connection than that of the transaction `trx`. */
  begin(trx: Kysely<unknown>): Promise<void>
  look(): Promise<void>
  /** Resolves when it has watched for `ms`. */
  end(ms: number): Promise<void>
}

/**
 * Every connection counts as a server's: a server of any version has one. A server that serves nobody opens one at least once a minute,
 * for the expiry of repeatable requests, and closes it after 30 s.
 */
export function watchConnections(db: Kysely<unknown>): Watch {
  let transaction = 0
  let begunAt = 0
  let lookedAt = 0

  async function others(): Promise<string[]> {
    const { rows } = await sql<{ name: string; address: string | null }>`
      select application_name as name, host(client_addr) as address from pg_stat_activity
      where datname = current_database() and usesysid is not null
        and pid not in (pg_backend_pid(), ${sql.lit(transaction)})`.execute(db)
    return rows.map(({ name, address }) => `${name || 'unnamed'}${address === null ? '' : ` at ${address}`}`)
  }

  function refuse(found: string[]): never {
    throw new StoreError(
      `Stop all servers and close all connections to the database of DATABASE_URL first: ${found.join(', ')}`,
    )
  }

  async function look(): Promise<void> {
    if (Date.now() - lookedAt < LOOK_EVERY_MS) return
    const found = await others()
    if (found.length > 0) refuse(found)
    lookedAt = Date.now()
  }

  return {
    async expectNone() {
      const until = Date.now() + ENDING_MS
      for (;;) {
        const found = await others()
        if (found.length === 0) return
        if (Date.now() > until) refuse(found)
        await pause(LOOK_EVERY_MS)
      }
    },
    async begin(trx) {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      transaction = Number(rows[0]?.pid)
      begunAt = Date.now()
    },
    look,
    async end(ms) {
      do {
        await pause(LOOK_EVERY_MS)
        await look()
      } while (Date.now() - begunAt < ms)
    },
  }
}

/** Locks the tables against writing, and for `target` against reading, until the transaction ends. It has no time limits. */
export async function lockTables(trx: Kysely<unknown>, tables: Table[], use: 'source' | 'target'): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  const mode = sql.raw(use === 'source' ? 'share' : 'access exclusive')
  try {
    const names = sql.join(tables.map(({ name }) => sql.table(name)))
    await sql`lock table ${names} in ${mode} mode nowait`.execute(trx)
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)
      throw new StoreError('The database of DATABASE_URL is used: stop all servers first')
    throw error
  }
}

/** Numbers of new rows continue after the highest. */
export async function continueNumbers(db: Kysely<unknown>, tables: Table[]): Promise<void> {
  for (const { name, columns } of tables)
    for (const column of columns.filter(({ isNumbered }) => isNumbered)) {
      const highest = sql`max(${sql.id(column.name)})`
      await sql`select setval(pg_get_serial_sequence(${name}, ${column.name}), greatest(${highest}, 1))
        from ${sql.table(name)} having ${highest} is not null`.execute(db)
    }
}

export function postgresSide(trx: Kysely<unknown>): Side {
  return {
    async *rows(table) {
      const columns = table.columns.map(({ name, kind }) =>
        kind === 'integer' ? sql`${sql.id(name)}::text as ${sql.id(name)}` : sql.id(name),
      )
      await sql`declare moving no scroll cursor for select ${sql.join(columns)} from ${sql.table(table.name)}`.execute(
        trx,
      )
      for (;;) {
        const { rows } = await sql<Record<string, Value>>`
          fetch ${sql.lit(pageSize(table))} from moving`.execute(trx)
        if (rows.length === 0) break
        yield rows.map((row) => table.columns.map(({ name }) => row[name] ?? null))
      }
      await sql`close moving`.execute(trx)
    },
    add: (table, rows) => insertRows(trx, table, rows),
  }
}
