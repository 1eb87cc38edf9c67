import { sql } from 'kysely'
import { createAccounts } from '../../accounts/records/accounts.ts'
import { createLoginSessions } from '../../accounts/records/login-sessions.ts'
import { createRefreshTokens } from '../../accounts/records/refresh-tokens.ts'
import { createAudit } from '../../console/records/audit.ts'
import { createDesk } from '../../console/records/desk.ts'
import { createModerators } from '../../console/records/moderators.ts'
import { createFrames } from '../../frames/records/frames.ts'
import { createSignals } from '../../frames/records/signals.ts'
import { createMatchRecords } from '../../matching/records/live-matches.ts'
import { createRelations } from '../../matching/records/relations.ts'
import { createCases } from '../../moderation/records/cases.ts'
import { createOutbox } from '../../moderation/records/email-outbox.ts'
import { createEvidence } from '../../moderation/records/evidence.ts'
import { createFindings } from '../../moderation/records/findings.ts'
import { createKeptCases } from '../../moderation/records/kept-cases.ts'
import { createReports } from '../../moderation/records/reports.ts'
import { createRisks } from '../../moderation/records/risks.ts'
import { createBacklog } from '../../operations/records/backlog.ts'
import { createLogs } from '../../operations/records/logs.ts'
import { createDeletions } from '../../privacy/records/deletions.ts'
import { createExpiry } from '../../privacy/records/expiry.ts'
import { createLegalHolds } from '../../privacy/records/legal-holds.ts'
import { createPersonalData } from '../../privacy/records/personal-data.ts'
import { type Database, openDatabase } from './database.ts'
import { guardAll } from './guarded.ts'
import { createForOwner } from './owner-only.ts'
import { openPostgres, pingPostgres } from './postgres.ts'
import { noLog, type PostgresSettings } from './postgres-pool.ts'
import { createRepeatRecords } from './repeats.ts'
import { createSharedSecrets } from './shared-secrets.ts'

function repositories(db: Database, newId: () => string) {
  return {
    accounts: createAccounts(db, newId),
    loginSessions: createLoginSessions(db),
    refreshTokens: createRefreshTokens(db),
    relations: createRelations(db),
    reports: createReports(db),
    cases: createCases(db, newId),
    findings: createFindings(db),
    risks: createRisks(db),
    keptCases: createKeptCases(db),
    outbox: createOutbox(db),
    matchRecords: createMatchRecords(db),
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

/** The records of every feature. */
export type Store = ReturnType<typeof repositories> & {
  /** Resolves while the database can be read and written. */
  ping(): Promise<void>
  /** Copies everything into a new file while other statements wait; null where the database has tools for it. */
  copyTo: ((file: string) => Promise<void>) | null
  close(): Promise<void>
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
