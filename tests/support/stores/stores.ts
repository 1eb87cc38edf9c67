import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { newDatabase } from '../servers/postgres.ts'
import type { Store } from './store.ts'
import { openSharedStore, openStore } from './store.ts'

/** Where records are kept for one test; they outlive a store that is closed. */
export type StoreBackend = {
  open(newId?: () => string): Promise<Store>
  /** What a server needs to use it. */
  env: Record<string, string>
  remove(): Promise<void>
}

async function inFolder(): Promise<StoreBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'))
  return {
    open: (newId = randomUUID) => openStore(folder, newId),
    env: { DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** The records in a database, as two connections can use them. */
export function openDatabaseAt(
  url: string,
  { newId = randomUUID, timeoutMs = 5_000 }: { newId?: () => string; timeoutMs?: number } = {},
): Promise<Store> {
  return openSharedStore({ url, poolSize: 4, timeoutMs }, newId)
}

/** Fails in one line where PostgreSQL is missing. */
export function postgresPort(): number {
  const port = inject('postgres')
  if (port === 0)
    throw new Error('Install PostgreSQL (Debian: apt-get install postgresql) or put its programs on PATH.')
  return port
}

async function inDatabase(): Promise<StoreBackend> {
  const url = await newDatabase(postgresPort())
  return {
    open: (newId) => openDatabaseAt(url, newId && { newId }),
    env: { DATABASE_URL: url },
    // It goes with the whole of PostgreSQL, at the end of the run.
    remove: async () => undefined,
  }
}

/** For suites that must hold over both: `describe.each(backends)('records in $name', ({ make }) => ...)`. */
export const backends: { name: string; make: () => Promise<StoreBackend> }[] = [
  { name: 'SQLite', make: inFolder },
  { name: 'PostgreSQL', make: inDatabase },
]
