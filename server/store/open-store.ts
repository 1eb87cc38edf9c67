import { sql } from 'kysely'
import type { Store } from '../domain/ports.ts'
import { createAccounts } from './accounts.ts'
import { createBacklog } from './backlog.ts'
import { createCases } from './cases.ts'
import { createAudit } from './console/audit.ts'
import { createDesk } from './console/desk.ts'
import { createModerators } from './console/moderators.ts'
import { openDatabase } from './database.ts'
import { createDeletions } from './deletions.ts'
import { createEvidence } from './evidence.ts'
import { createExpiry } from './expiry.ts'
import { createFindings } from './findings.ts'
import { createFrames } from './frames.ts'
import { createLegalHolds } from './legal-holds.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createLogs } from './logs.ts'
import { createOutbox } from './outbox.ts'
import { createPersonalData } from './personal-data.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createRelations } from './relations.ts'
import { createReports } from './reports.ts'
import { createRisks } from './risks.ts'
import { createSessions } from './sessions.ts'
import { createSignals } from './signals.ts'

/** The records in `folder`. Rejects with FolderError while another server holds it. */
export async function openStore(folder: string, newId: () => string): Promise<Store> {
  const db = await openDatabase(folder)
  return {
    accounts: createAccounts(db, newId),
    sessions: createSessions(db),
    refreshTokens: createRefreshTokens(db),
    relations: createRelations(db),
    reports: createReports(db),
    cases: createCases(db, newId),
    findings: createFindings(db),
    risks: createRisks(db),
    outbox: createOutbox(db),
    liveSessions: createLiveSessions(db),
    logs: createLogs(db),
    frames: createFrames(db),
    moderators: createModerators(db),
    audit: createAudit(db),
    desk: createDesk(db),
    evidence: createEvidence(db),
    signals: createSignals(db),
    backlog: createBacklog(db),
    deletions: createDeletions(db, newId),
    legalHolds: createLegalHolds(db),
    personalData: createPersonalData(db),
    expiry: createExpiry(db),
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  }
}
