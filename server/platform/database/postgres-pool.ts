import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, types } from 'pg'
import { unavailable } from './store-error.ts'

export type PostgresSettings = {
  /** postgres:// with user, password, host and database. */
  url: string
  /** The largest number of this server's connections. */
  poolSize: number
  /** The time limit of a statement, and of opening a connection. */
  timeoutMs: number
}

/** Receives one line when the database is lost and one line when it is back. */
export type PoolLog = {
  warn(details: { err: unknown }, message: string): void
  info(message: string): void
}

export const noLog: PoolLog = { warn: () => undefined, info: () => undefined }

const IDLE_MS = 30_000
/** Time after the database's time limit until the driver's time limit, for a network that drops all packets. */
const ANSWER_GRACE_MS = 1_000

const INT8 = 20
const BYTEA = 17
const parseBytes = types.getTypeParser(BYTEA, 'text')

/** Parsers of results, for the same types as with SQLite: all times and counts are below 2^53, bytes are a Uint8Array. */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [BYTEA]: (text) => new Uint8Array(parseBytes(text)),
}

/** Parsers of this pool only: the driver's table of parsers is shared by the whole process. */
const ownTypes: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers[oid]) || types.getTypeParser(oid, format)

/**
 * True for an error that the state of the database causes, not the statement: connections, resources, an operator's
 * intervention, a time limit, the system, and a standby that accepts no writes.
 */
function cannotServe({ code = '' }: DatabaseError): boolean {
  return /^(?:08|53|57|58)/.test(code) || code === '25006'
}

/** Replaces U+0000, which PostgreSQL does not store in text. */
function keepable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter
}

/** Creates a pool. `patient` is for migrations, which have no time limit. */
export function createPool({ url, poolSize, timeoutMs }: PostgresSettings, limits: 'limited' | 'patient'): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    fallback_application_name: 'waggle',
    types: { getTypeParser: ownTypes },
    ...(limits === 'limited' && {
      statement_timeout: timeoutMs,
      query_timeout: timeoutMs + ANSWER_GRACE_MS,
      // A server that hangs in a transaction must not block other servers.
      idle_in_transaction_session_timeout: timeoutMs,
    }),
  })
  // The pool handles errors of idle connections only. A connection in use needs a listener; its loss rejects the statement.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Returns a pool for Kysely that rejects with `unavailable` when the database is lost, and does not reuse a broken connection. */
export function poolForKysely(pool: Pool, log: PoolLog): PostgresPool {
  let away = false
  /** Counts losses of the database. Connections from before a loss may be dead and are not reused. */
  let era = 0
  const eraOf = new WeakMap<PoolClient, number>()

  function lost(error: unknown, client?: PoolClient): Error {
    if (!away) log.warn({ err: error }, 'database: no reply')
    away = true
    if (client && eraOf.get(client) === era) era += 1
    return unavailable(error)
  }

  function answered(): void {
    if (away) log.info('database: replies again')
    away = false
  }

  pool.on('error', (error) => lost(error))
  pool.on('connect', (client) => eraOf.set(client, era))

  async function borrow(): Promise<PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (eraOf.get(client) === era) return client
      client.release(true)
    }
  }

  function lend(client: PoolClient): PostgresPoolClient {
    let broken: Error | null = null

    async function query(text: string, parameters: readonly unknown[]): Promise<unknown> {
      if (broken) throw broken
      try {
        const result = await client.query(text, parameters.map(keepable))
        answered()
        return result
      } catch (error) {
        if (error instanceof DatabaseError) throw cannotServe(error) ? unavailable(error) : error
        // The reply of this statement may still arrive, and would be taken for the reply of the next statement.
        broken = lost(error, client)
        throw broken
      }
    }

    return {
      // The types also allow cursors; Kysely uses these only if the dialect provides them.
      query: query as PostgresPoolClient['query'],
      release: (destroy = false) => client.release(destroy || broken !== null),
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return lend(await borrow())
      } catch (error) {
        throw lost(error)
      }
    },
  }
}
