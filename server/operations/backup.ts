import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#protocol/errors.ts'
import { SECRETS_FILE } from '../config/secrets.ts'
import { RECORDS_FILE } from '../platform/database/database.ts'
import { hasCode, keepForOwner } from '../platform/database/owner-only.ts'
import type { RecordsDatabase } from '../platform/database/records-database.ts'

const names = [RECORDS_FILE, SECRETS_FILE] as const
/** Files that must not exist before a restore: SQLite would apply -wal and -shm files of another database to the new one. */
const conflicting = [...names, `${RECORDS_FILE}-wal`, `${RECORDS_FILE}-shm`]

async function flush(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/** Copies a file to a new path and flushes it to the disk. Resolves with false if the source does not exist; never overwrites. */
async function copyNew(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
  await keepForOwner(to)
  await flush(to)
  return true
}

function refusal(folder: string, error: unknown): AppError {
  return new AppError('wrong-state', `${folder} cannot be used: ${error instanceof Error ? error.message : error}`)
}

/** Copies the records and the secrets of a data folder into a new folder, also while a server uses them. Rejects with `wrong-state`. */
export async function backUp(
  database: Pick<RecordsDatabase, 'copyTo'>,
  dataDir: string,
  folder: string,
): Promise<void> {
  if (!database.copyTo) throw new AppError('wrong-state', 'The records are in a database of its own')
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    throw refusal(folder, error)
  }
  try {
    // The secrets first: a copy of the records without the secrets has little use.
    await copyNew(join(dataDir, SECRETS_FILE), join(folder, SECRETS_FILE))
    await database.copyTo(join(folder, RECORDS_FILE))
    await flush(join(folder, RECORDS_FILE))
    await flush(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw refusal(folder, error)
  }
}

/** Copies a backup into a data folder without records. Rejects with `wrong-state`. */
export async function restoreBackup(folder: string, dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const existing = (await readdir(dataDir)).filter((name) => conflicting.includes(name))
    if (existing.length > 0) throw new Error(`${existing.join(' and ')} must be moved away first`)
    for (const name of names)
      if (!(await copyNew(join(folder, name), join(dataDir, name))) && name === RECORDS_FILE)
        throw new Error(`there is no ${name} in ${folder}`)
    await flush(dataDir)
  } catch (error) {
    throw refusal(dataDir, error)
  }
}
