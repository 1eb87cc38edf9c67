import type { Database } from '../../platform/database/database.ts'
import { createBacklog } from './backlog.ts'
import { createCountries } from './countries.ts'
import { createLogs } from './logs.ts'

export function createOperationsRecords(db: Database) {
  return { backlog: createBacklog(db), countries: createCountries(db), logs: createLogs(db) }
}
