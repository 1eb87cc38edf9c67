import type { Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'
import type { KeptCases, KeptRecords, PersonOf } from '../rules/ports.ts'

/** Most rows in one statement: SQLite binds at most 32,766 values. */
const ROWS = 1_000

async function inParts<Row>(rows: readonly Row[], write: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await write(rows.slice(start, start + ROWS))
}

/** Keeps the account's own reports without a decision, and the dismissed reports by it and about it. */
async function keepReports(step: Transaction<Tables>, accountId: string, personOf: PersonOf): Promise<void> {
  const rows = await step
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.reporter')
    .select(['provider', 'subject', 'session', 'reporter', 'reported', 'reason', 'at', 'outcome', 'decidedAt'])
    .where((row) =>
      row.or([
        row.and({ reporter: accountId, outcome: null }),
        row.and([row.or({ reporter: accountId, reported: accountId }), row('outcome', '=', 'dismissed')]),
      ]),
    )
    .execute()
  const kept = rows.map(({ provider, subject, reporter, reported, ...report }) => ({
    ...report,
    person: personOf({ provider, subject }),
    accountId: reporter === accountId ? null : reporter,
    reported: reported === accountId ? null : reported,
  }))
  await inParts(kept, (part) =>
    step
      .insertInto('keptReports')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['session', 'person']).doUpdateSet((row) => ({
          outcome: row.ref('excluded.outcome'),
          decidedAt: row.ref('excluded.decidedAt'),
        })),
      )
      .execute(),
  )
}

async function keepBlocks(step: Transaction<Tables>, accountId: string, personOf: PersonOf, now: number) {
  const rows = await step
    .selectFrom('blocks')
    .innerJoin('accounts as byAccount', 'byAccount.id', 'blocks.by')
    .innerJoin('accounts as whomAccount', 'whomAccount.id', 'blocks.whom')
    .select(['blocks.by', 'blocks.whom', 'blocks.at'])
    .select(['byAccount.provider as byProvider', 'byAccount.subject as bySubject'])
    .select(['whomAccount.provider as whomProvider', 'whomAccount.subject as whomSubject'])
    .where((row) => row.or({ 'blocks.by': accountId, 'blocks.whom': accountId }))
    .execute()
  const kept = rows.map(({ by, whom, at, byProvider, bySubject, whomProvider, whomSubject }) => ({
    byPerson: personOf({ provider: byProvider, subject: bySubject }),
    whomPerson: personOf({ provider: whomProvider, subject: whomSubject }),
    byAccount: by === accountId ? null : by,
    whomAccount: whom === accountId ? null : whom,
    at,
    keptAt: now,
  }))
  await inParts(kept, (part) =>
    step
      .insertInto('keptBlocks')
      .values(part)
      .onConflict((conflict) => conflict.columns(['byPerson', 'whomPerson']).doUpdateSet({ keptAt: now }))
      .execute(),
  )
}

export function createKeptCases(db: Database): KeptCases {
  return {
    async keep(kept) {
      const row = { ...kept, accountId: null }
      await db
        .insertInto('keptCases')
        .values(row)
        .onConflict((conflict) => conflict.column('person').doUpdateSet(row))
        .execute()
    },

    async find(person, now) {
      const row = await db
        .selectFrom('keptCases')
        .select(['person', 'status', 'what', 'rule', 'until', 'reports', 'findings', 'at', 'expiresAt'])
        .where((kept) => kept.and({ person, accountId: null }))
        .where('expiresAt', '>', now)
        .executeTakeFirst()
      return row ?? null
    },

    async attach(person, accountId) {
      await db
        .updateTable('keptCases')
        .set({ accountId })
        .where((kept) => kept.and({ person, accountId: null }))
        .execute()
    },

    async remove(person) {
      await db.deleteFrom('keptCases').where('person', '=', person).execute()
    },
  }
}

export function createKeptRecords(db: Database): KeptRecords {
  return {
    keep(account, personOf, now) {
      const person = personOf(account)
      return db.transaction().execute(async (step) => {
        await keepReports(step, account.id, personOf)
        await keepBlocks(step, account.id, personOf, now)
        // Blocks between this account and one that was deleted before.
        await step
          .updateTable('keptBlocks')
          .set({ keptAt: now })
          .where((row) => row.or({ byPerson: person, whomPerson: person }))
          .execute()
      })
    },

    restore(person, accountId) {
      return db.transaction().execute(async (step) => {
        await step
          .updateTable('keptReports')
          .set({ accountId })
          .where((row) => row.and({ person, accountId: null }))
          .execute()
        await step.updateTable('keptBlocks').set({ byAccount: accountId }).where('byPerson', '=', person).execute()
        await step.updateTable('keptBlocks').set({ whomAccount: accountId }).where('whomPerson', '=', person).execute()
        const complete = await step
          .selectFrom('keptBlocks')
          .select(['byPerson', 'whomPerson', 'byAccount as by', 'whomAccount as whom', 'at'])
          .where((row) => row.or({ byPerson: person, whomPerson: person }))
          .where('byAccount', 'is not', null)
          .where('whomAccount', 'is not', null)
          .$narrowType<{ by: string; whom: string }>()
          .execute()
        for (const { byPerson, whomPerson, ...block } of complete) {
          await step
            .insertInto('blocks')
            .values(block)
            .onConflict((conflict) => conflict.columns(['by', 'whom']).doNothing())
            .execute()
          await step
            .deleteFrom('keptBlocks')
            .where((row) => row.and({ byPerson, whomPerson }))
            .execute()
        }
      })
    },
  }
}
