import type { Database } from '../../platform/database/database.ts'
import { createAccounts } from './accounts.ts'
import { createLoginSessions, createRefreshTokens } from './login-sessions.ts'
import { createPreferences } from './preferences.ts'
import { createProfiles } from './profiles.ts'

export function createAccountRecords(db: Database, newId: () => string) {
  return {
    accounts: createAccounts(db, newId),
    profiles: createProfiles(db),
    preferences: createPreferences(db),
    loginSessions: createLoginSessions(db),
    refreshTokens: createRefreshTokens(db),
  }
}
