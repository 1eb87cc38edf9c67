import type { Database } from '../../platform/database/database.ts'
import { createCases } from './cases.ts'
import { createEmailOutbox } from './email-outbox.ts'
import { createEvidence } from './evidence.ts'
import { createFindings } from './findings.ts'
import { createKeptCalls } from './kept-calls.ts'
import { createKeptCases } from './kept-cases.ts'
import { createKeptRecords } from './kept-records.ts'
import { createReports } from './reports.ts'
import { createRisks } from './risks.ts'

export function createModerationRecords(db: Database, newId: () => string) {
  return {
    reports: createReports(db),
    cases: createCases(db, newId),
    findings: createFindings(db),
    risks: createRisks(db),
    keptCalls: createKeptCalls(db),
    keptCases: createKeptCases(db),
    keptRecords: createKeptRecords(db),
    outbox: createEmailOutbox(db),
    evidence: createEvidence(db),
  }
}
