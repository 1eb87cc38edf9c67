import type { Database } from '../../platform/database/database.ts'
import { createAccounts } from './accounts.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createLoginSessions } from './sessions.ts'

export function createAccountRecords(db: Database, newId: () => string) {
  return {
    accounts: createAccounts(db, newId),
    sessions: createLoginSessions(db),
    refreshTokens: createRefreshTokens(db),
  }
}
