import type { Database } from '../../platform/database/database.ts'
import type { Countries } from '../rules/ports.ts'
import { createBacklog } from './backlog.ts'
import { createLogs } from './logs.ts'

function createCountries(db: Database): Countries {
  return {
    async of(sessionId) {
      const row = await db
        .selectFrom('ipDetails')
        .select('country')
        .where('sessionId', '=', sessionId)
        .executeTakeFirst()
      return row?.country ?? null
    },
  }
}

export function createOperationsRecords(db: Database) {
  return { backlog: createBacklog(db), countries: createCountries(db), logs: createLogs(db) }
}
