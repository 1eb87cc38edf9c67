import { sql } from 'kysely'
import type { Store } from '../domain/ports.ts'
import { createAccounts } from './accounts.ts'
import { openDatabase } from './database.ts'
import { createDeletions } from './deletions.ts'
import { createExpiry } from './expiry.ts'
import { createFrames } from './frames.ts'
import { createLegalHolds } from './legal-holds.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createLogs } from './logs.ts'
import { createPersonalData } from './personal-data.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createRelations } from './relations.ts'
import { createReports } from './reports.ts'
import { createSessions } from './sessions.ts'

/** The records in `folder`. Rejects with FolderError while another server holds it. */
export async function openStore(folder: string, newId: () => string): Promise<Store> {
  const db = await openDatabase(folder)
  return {
    accounts: createAccounts(db, newId),
    sessions: createSessions(db),
    refreshTokens: createRefreshTokens(db),
    relations: createRelations(db),
    reports: createReports(db),
    liveSessions: createLiveSessions(db),
    logs: createLogs(db),
    frames: createFrames(db),
    deletions: createDeletions(db, newId),
    legalHolds: createLegalHolds(db),
    personalData: createPersonalData(db),
    expiry: createExpiry(db),
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  }
}
