import type { Database } from '../../platform/database/database.ts'
import type { RefreshTokens } from '../rules/login-ports.ts'
import { touchLoginSession } from './touch-login-session.ts'

/**
 * A rotation that is on while tokens are deleted adds one that the deletion did not see. It had to wait for that rotation, so that
 * another look finds the new token; when nothing is found there is nothing left, and no rotation of it on.
 */
export async function untilNoneIsLeft(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  let removed = 1n
  while (removed > 0n) removed = (await remove()).numDeletedRows
}

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
        // Locks the session first, as everything does that ends a login.
        if (!(await touchLoginSession(step, next.sessionId, next.accountId, { attachedAt: at }))) return 'ended'
        const used = await step
          .updateTable('refreshTokens')
          .set({ usedAt: at, successor })
          .where('digest', '=', digest)
          .where('usedAt', 'is', null)
          .executeTakeFirst()
        if (used.numUpdatedRows === 0n) return 'used'
        await step.insertInto('refreshTokens').values(next).execute()
        return 'rotated'
      })
    },

    async revokeFamily(family) {
      await untilNoneIsLeft(() => db.deleteFrom('refreshTokens').where('family', '=', family).executeTakeFirst())
    },
  }
}
