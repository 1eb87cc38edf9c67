import type { RefreshTokens } from '../domain/ports.ts'
import type { Database } from './database.ts'

export function createRefreshTokens(db: Database): RefreshTokens {
  return {
    async add(token) {
      await db.insertInto('refreshTokens').values(token).execute()
    },

    async find(digest) {
      const row = await db.selectFrom('refreshTokens').selectAll().where('digest', '=', digest).executeTakeFirst()
      return row ?? null
    },

    rotate(digest, successor, next, at) {
      return db.transaction().execute(async (step) => {
        const used = await step
          .updateTable('refreshTokens')
          .set({ usedAt: at, successor })
          .where('digest', '=', digest)
          .where('usedAt', 'is', null)
          .executeTakeFirst()
        if (used.numUpdatedRows === 0n) return false
        await step.insertInto('refreshTokens').values(next).execute()
        return true
      })
    },

    async revokeFamily(family) {
      await db.deleteFrom('refreshTokens').where('family', '=', family).execute()
    },

    async revokeSession(accountId, sessionId) {
      await db
        .deleteFrom('refreshTokens')
        .where('accountId', '=', accountId)
        .where('sessionId', '=', sessionId)
        .execute()
    },
  }
}
