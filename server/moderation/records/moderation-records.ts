import type { Database } from '../../platform/database/database.ts'
import { changesRow, countRows } from '../../platform/database/row-counts.ts'
import type { EmailOutbox, Findings } from '../rules/ports.ts'
import { createCases } from './cases.ts'
import { createEvidence } from './evidence.ts'
import { createKeptCalls } from './kept-calls.ts'
import { createKeptCases, createKeptRecords } from './kept-records.ts'
import { createReports } from './reports.ts'
import { createRisks } from './risks.ts'

/** Most emails that one read returns. */
const BATCH_SIZE = 50

function createEmailOutbox(db: Database): EmailOutbox {
  const update = (id: string) => db.updateTable('outbox').where('id', '=', id)
  return {
    due: (now) =>
      db
        .selectFrom('outbox')
        .select(['id', 'accountId', 'outcome', 'attempts'])
        .where('nextAt', '<=', now)
        .orderBy('nextAt')
        .limit(BATCH_SIZE)
        .execute(),

    reserve: (id, now, until) => changesRow(update(id).set({ nextAt: until }).where('nextAt', '<=', now)),

    async remove(id) {
      await db.deleteFrom('outbox').where('id', '=', id).execute()
    },

    async postpone(id, until) {
      await update(id)
        .set((build) => ({ nextAt: until, attempts: build('attempts', '+', 1) }))
        .execute()
    },
  }
}

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
