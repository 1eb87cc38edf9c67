import type { Database } from '../../platform/database/database.ts'
import type { Countries } from '../rules/ports.ts'

export function createCountries(db: Database): Countries {
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
