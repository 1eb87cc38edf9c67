import type { RefreshToken } from '../../../server/accounts/rules/login-ports.ts'
import type { Database } from '../../../server/platform/database/database.ts'

/** Parts of `LoginSessions.open` alone, which the product never writes without the others. */
export function createLoginFixtures(db: Database) {
  return {
    logins: {
      /** Signs an account in with a login session, without a refresh token. */
      async attach(id: string, accountId: string, at: number): Promise<void> {
        const login = { accountId, ownerId: accountId, attachedAt: at, signedInAt: at }
        await db.updateTable('userSessions').set(login).where('id', '=', id).execute()
      },
      async addToken(token: RefreshToken): Promise<void> {
        await db.insertInto('refreshTokens').values(token).execute()
      },
    },
  }
}
