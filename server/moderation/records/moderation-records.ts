import type { Database } from '../../platform/database/database.ts'
import { countRows } from '../../platform/database/row-counts.ts'
import type { Findings } from '../rules/ports.ts'
import { createCases } from './cases.ts'
import { createEmailOutbox } from './email-outbox.ts'
import { createEvidence } from './evidence.ts'
import { createKeptCalls } from './kept-calls.ts'
import { createKeptCases, createKeptRecords } from './kept-records.ts'
import { createReports } from './reports.ts'
import { createRisks } from './risks.ts'

function createFindings(db: Database): Findings {
  return {
    async add(accountId, finding) {
      const row = { ...finding, accountId, outcome: null, decidedAt: null }
      await db.insertInto('findings').values(row).execute()
    },

    count: (accountId, since, score) =>
      countRows(
        db
          .selectFrom('findings')
          .where((finding) => finding.and({ accountId, outcome: null }))
          .where('at', '>=', since)
          .where('score', '>=', score),
      ),
  }
}

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
