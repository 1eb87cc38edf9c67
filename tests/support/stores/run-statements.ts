import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { RECORDS_FILE } from '../../../server/platform/database/database.ts'
import type { StoreBackend } from './stores.ts'

/** Runs statements on a database that no server uses. */
export async function runStatements({ env }: StoreBackend, statements: readonly string[]): Promise<void> {
  if (env.DATA_DIR !== undefined) {
    const file = new DatabaseSync(join(env.DATA_DIR, RECORDS_FILE))
    for (const statement of statements) file.exec(statement)
    file.close()
    return
  }
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
