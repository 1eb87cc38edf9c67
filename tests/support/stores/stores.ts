import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { inject } from 'vitest'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { migratedDatabase, migratedFolder } from './migrated.ts'
import type { Store } from './store.ts'
import { openSharedStore, openStore } from './store.ts'

/** A database for one test; its records outlive a store that is closed. */
export type StoreBackend = {
  open(newId?: () => string): Promise<Store>
  /** Environment variables of a server that uses it. */
  env: Record<string, string>
  remove(): Promise<void>
}

async function inFolder(): Promise<StoreBackend> {
  const folder = await migratedFolder()
  return {
    open: (newId = randomUUID) => openStore(folder, newId),
    env: { DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Opens the store in a PostgreSQL database, which other connections may use as well. */
export function openDatabaseAt(
  url: string,
  { newId = randomUUID, timeoutMs = WAIT_MS }: { newId?: () => string; timeoutMs?: number } = {},
): Promise<Store> {
  return openSharedStore({ url, poolSize: 4, timeoutMs }, newId)
}

/** Throws with one line if PostgreSQL is missing. */
export function postgresPort(): number {
  const port = inject('postgres')
  if (port === 0)
    throw new Error('Install PostgreSQL (Debian: apt-get install postgresql) or put its programs on PATH.')
  return port
}

async function inDatabase(): Promise<StoreBackend> {
  const url = await migratedDatabase(postgresPort())
  return {
    open: (newId) => openDatabaseAt(url, newId && { newId }),
    env: { DATABASE_URL: url },
    // Deleted with the whole PostgreSQL cluster at the end of the run.
    remove: async () => undefined,
  }
}

/** For suites that must hold for both: `describe.each(backends)('records in $name', ({ make }) => ...)`. */
export const backends: { name: string; make: () => Promise<StoreBackend> }[] = [
  { name: 'SQLite', make: inFolder },
  { name: 'PostgreSQL', make: inDatabase },
]
