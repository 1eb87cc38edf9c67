import type { TestProject } from 'vitest/node'
import { postgresFolder } from '../../../scripts/programs.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of PostgreSQL, or 0 if it is not installed. */
    postgres: number
  }
}

/** Starts one PostgreSQL for all server tests. Each test creates its own database, see stores.ts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (postgresFolder() === '') {
    project.provide('postgres', 0)
    return async () => {}
  }
  const postgres = await startPostgres()
  project.provide('postgres', postgres.port)
  return postgres.stop
}
