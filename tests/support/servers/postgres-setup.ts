import type { TestProject } from 'vitest/node'
import { postgresFolder } from '../../../scripts/postgres.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of PostgreSQL, 0 where it is not installed. */
    postgres: number
  }
}

/** One PostgreSQL for all tests of the server; each takes a database of its own, see stores.ts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (postgresFolder() === '') {
    project.provide('postgres', 0)
    return async () => {}
  }
  const postgres = await startPostgres()
  project.provide('postgres', postgres.port)
  return postgres.stop
}
