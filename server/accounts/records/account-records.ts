import type { Database } from '../../platform/database/database.ts'
import { createAccounts } from './accounts.ts'
import { createLoginSessions } from './login-sessions.ts'
import { createPreferences } from './preferences.ts'
import { createProfiles } from './profiles.ts'
import { createRefreshTokens } from './refresh-tokens.ts'

export function createAccountRecords(db: Database, newId: () => string) {
  return {
    accounts: createAccounts(db, newId),
    profiles: createProfiles(db),
    preferences: createPreferences(db),
    loginSessions: createLoginSessions(db),
    refreshTokens: createRefreshTokens(db),
  }
}
