import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, readConfig } from '../server/config/config.ts'
import { backUp, restoreBackup } from '../server/operations/backup.ts'
import { printOutcome, runCommand, withRecords } from './operator-command.ts'
import { postgresProgram } from './programs.ts'

/** Makes or restores a backup of everything that the server stores; see docs/operations.md. */

const USAGE = 'Usage: npm run backup -- make FOLDER | restore FOLDER'
const DUMP = 'waggle.dump'

type Shared = NonNullable<Config['database']>

/** Passes the password in the environment, because every user of the machine can read arguments. */
function run(program: 'pg_dump' | 'pg_restore', { url }: Shared, args: string[]): void {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const { status, error } = spawnSync(postgresProgram(program), [...args, `--dbname=${address.href}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
  })
  if (status !== 0) throw error ?? new Error(`${program} failed`)
}

async function make(config: Config, folder: string): Promise<string> {
  if (config.database) {
    mkdirSync(folder, { mode: 0o700 })
    run('pg_dump', config.database, [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--file=${join(folder, DUMP)}`,
    ])
    return `The records are in ${folder}.`
  }
  return runCommand({ do: 'backup', folder }, async (_, database) => {
    await backUp(database, config.dataDir, folder)
    return `Records and secrets are in ${folder}.`
  })
}

/** Restores into an empty data folder or database; it overwrites nothing. */
async function restore(config: Config, folder: string): Promise<string> {
  if (config.database)
    run('pg_restore', config.database, ['--single-transaction', '--exit-on-error', '--no-owner', join(folder, DUMP)])
  else await restoreBackup(folder, config.dataDir)
  await withRecords(config, (database) => database.ping())
  return 'The records are back, and up to date for this version of the server.'
}

await printOutcome(async () => {
  const [verb, folder, ...rest] = process.argv.slice(2)
  if (!folder || rest.length > 0 || (verb !== 'make' && verb !== 'restore')) throw new Error(USAGE)
  return (verb === 'make' ? make : restore)(readConfig(process.env), resolve(folder))
})
