import { checkDatabaseCa } from '../server/config/certificates.ts'
import { readConfig } from '../server/config/config.ts'
import { moveRecords } from '../server/platform/database/move/move-records.ts'

/** Copies all records from SQLite in DATA_DIR to PostgreSQL at DATABASE_URL, or back; see docs/operations.md. */

const USAGE = 'Usage: npm run move-records -- TARGET'

function readTarget([target, ...rest]: string[]): 'postgres' | 'sqlite' {
  if (rest.length > 0)
    throw new Error(`There is one argument, TARGET; ${JSON.stringify(rest[0])} is one too many\n${USAGE}`)
  if (target === 'postgres' || target === 'sqlite') return target
  throw new Error(`TARGET must be postgres or sqlite, not ${JSON.stringify(target ?? null)}\n${USAGE}`)
}

// Files of this process are readable by its own user only.
process.umask(0o077)

try {
  const target = readTarget(process.argv.slice(2))
  const config = readConfig(process.env)
  if (config.database) checkDatabaseCa(config.database.url)
  const count = await moveRecords(target, config, { log: console.log })
  console.log(`All ${count} rows were copied, read again and compared. The source is unchanged.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
