import { sql } from 'kysely'
import type { Store } from '../domain/ports.ts'
import { createAccounts } from './accounts.ts'
import { createBacklog } from './backlog.ts'
import { createCases } from './cases.ts'
import { createAudit } from './console/audit.ts'
import { createDesk } from './console/desk.ts'
import { createModerators } from './console/moderators.ts'
import { type Database, openDatabase } from './database.ts'
import { createDeletions } from './deletions.ts'
import { createEvidence } from './evidence.ts'
import { createExpiry } from './expiry.ts'
import { createFindings } from './findings.ts'
import { createFrames } from './frames.ts'
import { guardAll } from './guarded.ts'
import { createKeptCases } from './kept-cases.ts'
import { createLegalHolds } from './legal-holds.ts'
import { createLiveSessions } from './live-sessions.ts'
import { createLogs } from './logs.ts'
import { createOutbox } from './outbox.ts'
import { createForOwner } from './owner-only.ts'
import { createPersonalData } from './personal-data.ts'
import { openPostgres, pingPostgres } from './postgres.ts'
import { noLog, type PostgresSettings } from './postgres-pool.ts'
import { createRefreshTokens } from './refresh-tokens.ts'
import { createRelations } from './relations.ts'
import { createRepeatRecords } from './repeats.ts'
import { createReports } from './reports.ts'
import { createRisks } from './risks.ts'
import { createSessions } from './sessions.ts'
import { createSharedSecrets } from './shared-secrets.ts'
import { createSignals } from './signals.ts'

function repositories(db: Database, newId: () => string) {
  return {
    accounts: createAccounts(db, newId),
    sessions: createSessions(db),
    refreshTokens: createRefreshTokens(db),
    relations: createRelations(db),
    reports: createReports(db),
    cases: createCases(db, newId),
    findings: createFindings(db),
    risks: createRisks(db),
    keptCases: createKeptCases(db),
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
    repeats: createRepeatRecords(db),
    sharedSecrets: createSharedSecrets(db),
  }
}

/** The records in the SQLite file of `folder`. Rejects with StoreError while another server holds it. */
export async function openStore(folder: string, newId: () => string): Promise<Store> {
  const db = await openDatabase(folder)
  const ping = async () => void (await sql`select 1`.execute(db))
  async function copyTo(file: string): Promise<void> {
    // SQLite fills an empty file, and keeps its mode.
    await createForOwner(file)
    await sql`vacuum into ${file}`.execute(db)
  }
  return { ...repositories(db, newId), ping, copyTo, close: () => db.destroy() }
}

/** The records in a PostgreSQL database that other servers use too. Whatever is asked while it is away rejects with `unavailable`. */
export async function openSharedStore(settings: PostgresSettings, newId: () => string, log = noLog): Promise<Store> {
  const db = await openPostgres(settings, log)
  return {
    ...guardAll(repositories(db, newId)),
    ping: () => pingPostgres(db),
    copyTo: null,
    close: () => db.destroy(),
  }
}
