import { type RawBuilder, type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import { blockStatusSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import { reportsWithFacts, withFacts } from '../../moderation/records/report-facts.ts'
import { asciiLower } from '../../platform/database/ascii-lower.ts'
import type { Database } from '../../platform/database/database.ts'
import type { OpenCase } from '../rules/case-queue.ts'
import type { CaseReport, Desk } from '../rules/ports.ts'
import { resemblances } from './resemblances.ts'

const personSchema = v.object({
  id: v.string(),
  nickName: v.nullable(v.string()),
  status: blockStatusSchema,
  statusUntil: v.nullable(v.number()),
  statusSince: v.nullable(v.number()),
  earlierReports: v.nullable(v.number()),
  earlierFindings: v.nullable(v.number()),
  earlierAt: v.nullable(v.number()),
})

/** Sorts after every character of a name or an id. */
const LAST = '\u{10ffff}'

export function createDesk(db: Database): Desk {
  const open = () =>
    db
      .selectFrom('reports')
      .select('reported as id')
      .where('outcome', 'is', null)
      .union(db.selectFrom('findings').select('accountId as id').where('outcome', 'is', null))
      .union(db.selectFrom('accounts').select('id').where('status', '=', 'InReview'))
      .union(
        db
          .selectFrom('keptCases')
          .select('accountId as id')
          .where('accountId', 'is not', null)
          .$narrowType<{ id: string }>(),
      )

  const people = () => db.selectFrom('accounts').leftJoin('profiles', 'profiles.accountId', 'accounts.id')

  /** Reads users, their open reports and their open findings in three statements. With `ids` null: of all users with an open case. */
  async function read(ids: readonly string[] | null): Promise<OpenCase[]> {
    const alike = await resemblances(db, ids).execute()
    const persons = await people()
      .leftJoin('keptCases', 'keptCases.accountId', 'accounts.id')
      .select((build) => [
        'accounts.id',
        'profiles.nickName',
        'accounts.status',
        'accounts.statusUntil',
        'keptCases.reports as earlierReports',
        'keptCases.findings as earlierFindings',
        'keptCases.at as earlierAt',
        build
          .selectFrom('statusChanges')
          .select((inner) => inner.fn.max('statusChanges.at').as('at'))
          .whereRef('statusChanges.accountId', '=', 'accounts.id')
          .as('statusSince'),
      ])
      .where(({ eb, or }) =>
        ids === null
          ? or([eb('accounts.id', 'in', open()), ...alike.map(({ id }) => eb('accounts.id', '=', id))])
          : eb('accounts.id', 'in', ids),
      )
      .execute()
    const openReports = await reportsWithFacts(db)
      .where('report.outcome', 'is', null)
      .$if(ids !== null, (query) => query.where('report.reported', 'in', ids ?? []))
      .execute()
    const openFindings = await db
      .selectFrom('findings')
      .select((build) => ['accountId', build.fn.countAll<number>().as('count'), build.fn.min('at').as('oldestAt')])
      .where('outcome', 'is', null)
      .$if(ids !== null, (query) => query.where('accountId', 'in', ids ?? []))
      .groupBy('accountId')
      .execute()
    const resembles = new Map(alike.map(({ id, at }) => [id, Number(at)]))
    const reports = Map.groupBy(openReports.map(withFacts), ({ reported }) => reported)
    const findings = new Map(openFindings.map(({ accountId, ...found }) => [accountId, found]))
    return persons.map((row) => {
      const { earlierReports, earlierFindings, earlierAt, ...person } = parse(personSchema, row)
      const found = findings.get(person.id)
      return {
        ...person,
        resemblesSince: resembles.get(person.id) ?? null,
        reports: reports.get(person.id) ?? [],
        earlier:
          earlierAt === null ? null : { reports: earlierReports ?? 0, findings: earlierFindings ?? 0, at: earlierAt },
        findings: { count: Number(found?.count ?? 0), oldestAt: found ? Number(found.oldestAt) : null },
      }
    })
  }

  /** Matches rows whose `column` begins with `start`, in a form that uses an index on it. */
  const beginsWith = (column: RawBuilder<string>, start: string) =>
    sql<SqlBool>`${column} >= ${start} and ${column} < ${start + LAST}`

  return {
    openCases: () => read(null),

    casesOf: async (ids) => (ids.length === 0 ? [] : read(ids)),

    async search(by, limit) {
      const wanted =
        'email' in by
          ? sql<SqlBool>`lower(accounts.email) = ${asciiLower(by.email)}`
          : 'idStart' in by
            ? beginsWith(sql`accounts.id`, by.idStart)
            : beginsWith(sql`lower(profiles.nick_name)`, asciiLower(by.nickName))
      const rows = await people().select('accounts.id').where(wanted).orderBy('accounts.id').limit(limit).execute()
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
      if (decided === 0) {
        const first = await db
          .insertInto('caseVersions')
          .values({ accountId, decided: 1 })
          .onConflict((conflict) => conflict.column('accountId').doNothing())
          .executeTakeFirst()
        return first.numInsertedOrUpdatedRows === 1n
      }
      const next = await db
        .updateTable('caseVersions')
        .set({ decided: decided + 1 })
        .where('accountId', '=', accountId)
        .where('decided', '=', decided)
        .executeTakeFirst()
      return next.numUpdatedRows === 1n
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
