import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { reportsWithFacts, withFacts } from '../../moderation/records/report-facts.ts'
import { asciiLower } from '../../platform/database/ascii-lower.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { CaseReport, Desk, Search } from '../rules/ports.ts'
import { readCases } from './open-cases.ts'

/** Sorts after every character of a name or an id. */
const LAST = '\u{10ffff}'

/** Matches rows whose `column` begins with `start`; the condition can use an index on the column. */
function beginsWith(column: RawBuilder<string>, start: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${column} >= ${start} and ${column} < ${start + LAST}`
}

function matches(by: Search): RawBuilder<SqlBool> {
  if ('email' in by) return sql<SqlBool>`lower(accounts.email) = ${asciiLower(by.email)}`
  if ('idStart' in by) return beginsWith(sql`accounts.id`, by.idStart)
  return beginsWith(sql`lower(profiles.nick_name)`, asciiLower(by.nickName))
}

export function createDesk(db: Database): Desk {
  return {
    openCases: () => readCases(db, null),

    casesOf: async (ids) => (ids.length === 0 ? [] : readCases(db, ids)),

    async search(by, limit) {
      const people = db.selectFrom('accounts').leftJoin('profiles', 'profiles.accountId', 'accounts.id')
      const found = people.select('accounts.id').where(matches(by))
      const rows = await found.orderBy('accounts.id').limit(limit).execute()
      return rows.map(({ id }) => id)
    },

    async findAccount(id) {
      const row = await db
        .selectFrom('accounts')
        .leftJoin('caseVersions', 'caseVersions.accountId', 'accounts.id')
        .select(['accounts.createdAt', 'caseVersions.decided'])
        .where('accounts.id', '=', id)
        .executeTakeFirst()
      return row ? { createdAt: row.createdAt, decided: row.decided ?? 0 } : null
    },

    async reports(accountId, limit): Promise<CaseReport[]> {
      const rows = await reportsWithFacts(db)
        .where('report.reported', '=', accountId)
        .orderBy('report.at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(withFacts)
    },

    findings: (accountId, limit) =>
      db
        .selectFrom('findings')
        .select(['session', 'label', 'score', 'at', 'outcome'])
        .where('accountId', '=', accountId)
        .orderBy('at', 'desc')
        .limit(limit)
        .execute(),

    async claim(accountId, decided) {
      if (decided > 0)
        return changesRow(
          db
            .updateTable('caseVersions')
            .set({ decided: decided + 1 })
            .where((row) => row.and({ accountId, decided })),
        )
      return changesRow(
        db
          .insertInto('caseVersions')
          .values({ accountId, decided: 1 })
          .onConflict((conflict) => conflict.column('accountId').doNothing()),
      )
    },

    async record({ upheld, ...decision }) {
      await db
        .insertInto('moderationDecisions')
        .values({ ...decision, upheld: Number(upheld) })
        .execute()
    },

    async decisions(since) {
      const rows = await db
        .selectFrom('moderationDecisions')
        .select(['at', 'openedAt', 'upheld'])
        .where('at', '>=', since)
        .execute()
      return rows.map((row) => ({ ...row, upheld: row.upheld === 1 }))
    },
  }
}
