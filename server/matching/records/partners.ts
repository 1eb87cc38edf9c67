import type { Database } from '../../platform/database/database.ts'
import type { Partners } from '../rules/ports.ts'

export function createPartners(db: Database): Partners {
  return {
    async partnerIn(matchId, accountId) {
      const row = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callee'])
        .where('id', '=', matchId)
        .where('endedAt', 'is', null)
        .executeTakeFirst()
      if (row?.caller === accountId) return row.callee
      return row?.callee === accountId ? row.caller : null
    },
  }
}
