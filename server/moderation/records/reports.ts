import { sql } from 'kysely'
import { DAY_MS } from '#protocol/durations.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Reports } from '../rules/ports.ts'
import { reportsWithFacts, withFacts } from './report-facts.ts'
import { countOf, creditOf, dismissedOf, sharedNetworks } from './reporter-record.ts'

export function createReports(db: Database): Reports {
  return {
    async add({ reporterSaw, reportedSaw, details, dueAt, settled, ...report }) {
      const match = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callerSawAt', 'calleeSawAt'])
        .where('id', '=', report.session)
        .executeTakeFirst()
      const confirmedBy = (account: string) =>
        match !== undefined && (match.caller === account ? match.callerSawAt : match.calleeSawAt) !== null
      return changesRow(
        db
          .insertInto('reports')
          .values({
            ...report,
            reporterSaw: Number(reporterSaw || confirmedBy(report.reporter)),
            reportedSaw: Number(reportedSaw || confirmedBy(report.reported)),
            settled: Number(settled),
            outcome: null,
            decidedAt: null,
            reason: details?.reason ?? null,
            note: details?.note || null,
            curtain: details?.curtain ? JSON.stringify(details.curtain) : null,
            dueAt,
          })
          .onConflict((conflict) => conflict.columns(['session', 'reporter']).doNothing()),
      )
    },

    async recordOf(reporter, now) {
      const clocks = db
        .selectFrom('reports as clock')
        .select(countOf.as('count'))
        .where('clock.dueAt', 'is not', null)
        .where('clock.at', '>', now - DAY_MS)
      const record = await db
        .selectFrom('accounts as own')
        .select((own) => [
          'own.createdAt as reporterSince',
          creditOf(db, 'own.id').as('credit'),
          dismissedOf(db, 'own.id').as('dismissed'),
          own
            .selectFrom('reports as earlier')
            .select(countOf.as('count'))
            .whereRef('earlier.reporter', '=', 'own.id')
            .where('earlier.at', '>', now - DAY_MS)
            .as('earlierToday'),
          clocks.where('clock.reporter', '=', sql.ref<string>('own.id')).as('ownClocks'),
          clocks
            .where('clock.reporter', '<>', sql.ref<string>('own.id'))
            .where((clock) => clock.exists(sharedNetworks(db, 'own.id', 'clock.reporter')))
            .as('networkClocks'),
        ])
        .where('own.id', '=', reporter)
        .executeTakeFirst()
      return {
        // A reporter whose account was deleted in the meantime has no record.
        reporterSince: record?.reporterSince ?? now,
        credit: Number(record?.credit ?? 0),
        dismissed: Number(record?.dismissed ?? 0),
        earlierToday: Number(record?.earlierToday ?? 0),
        clocks: { own: Number(record?.ownClocks ?? 0), network: Number(record?.networkClocks ?? 0) },
      }
    },

    async open(reported, since) {
      const rows = await reportsWithFacts(db)
        .where('report.reported', '=', reported)
        .where('report.outcome', 'is', null)
        .where('report.at', '>=', since)
        .execute()
      return rows.map(withFacts)
    },

    async subjects(since) {
      const rows = await db.selectFrom('reports').select('reported').distinct().where('at', '>=', since).execute()
      return rows.map(({ reported }) => reported)
    },
  }
}
