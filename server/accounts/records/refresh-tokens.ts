import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { RefreshTokens } from '../rules/login-ports.ts'

/** Sets these times of the login session. Changes nothing and returns false unless this account is still signed in with it. */
export function touchLoginSession(
  db: Database,
  id: string,
  accountId: string,
  times: { attachedAt: number; signedInAt?: number },
): Promise<boolean> {
  return changesRow(
    db
      .updateTable('userSessions')
      .set(times)
      .where((session) => session.and({ id, accountId })),
  )
}

/**
 * Repeats a deletion of tokens until it deletes none. A rotation in a concurrent transaction can add a token that the deletion does
 * not see; the deletion waits for that transaction's row lock, so that the next deletion sees the new token.
 */
export async function deleteUntilNoneLeft(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
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

    rotate(digest, use, next) {
      return db.transaction().execute(async (step) => {
        // Locks the login session first, in the same order as all statements that end a login.
        if (!(await touchLoginSession(step, next.sessionId, next.accountId, { attachedAt: use.usedAt }))) return 'ended'
        const unused = step.updateTable('refreshTokens').where((token) => token.and({ digest, usedAt: null }))
        if (!(await changesRow(unused.set(use)))) return 'used'
        await step.insertInto('refreshTokens').values(next).execute()
        return 'rotated'
      })
    },

    async setCrossed(digest) {
      await db.updateTable('refreshTokens').set({ isCrossed: 1 }).where('digest', '=', digest).execute()
    },

    async revokeFamily(family) {
      await deleteUntilNoneLeft(() => db.deleteFrom('refreshTokens').where('family', '=', family).executeTakeFirst())
    },
  }
}
