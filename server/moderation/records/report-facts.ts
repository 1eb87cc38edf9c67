import * as v from 'valibot'
import { DAY_MS } from '#protocol/durations.ts'
import { parse } from '#protocol/parse.ts'
import { type CurtainSeen, curtainSeenSchema } from '#protocol/reports.ts'
import type { CaseReport } from '../../console/rules/ports.ts'
import type { Database } from '../../platform/database/database.ts'
import { DISARMING_REPORTS_A_DAY } from '../rules/report-weight.ts'

/**
 * Selects reports with the facts by which they are weighed: the reporter's account, record and latest risk signals, and whether the
 * reported user had reported the reporter before.
 */
export function reportsWithFacts(db: Database) {
  const reporters = db
    .selectFrom('reports as report')
    .innerJoin('accounts as reporterAccount', 'reporterAccount.id', 'report.reporter')
  return reporters.select((build) => {
    const latest = (kind: 'address' | 'device') =>
      build
        .selectFrom('riskSignals')
        .select('riskSignals.digest')
        .whereRef('riskSignals.accountId', '=', 'report.reporter')
        .where('riskSignals.kind', '=', kind)
        .orderBy('riskSignals.at', 'desc')
        .orderBy('riskSignals.digest')
        .limit(1)
    const decided = (outcome: 'upheld' | 'dismissed') =>
      build
        .selectFrom('reports as earlier')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('earlier.reporter', '=', 'report.reporter')
        .where('earlier.outcome', '=', outcome)
    return [
      'report.session',
      'report.reporter',
      'report.reported',
      'report.type',
      'report.at',
      'report.callMs',
      'report.reporterSaw',
      'report.reportedSaw',
      'report.keptCalls',
      'report.outcome',
      'report.reason',
      'report.note',
      'report.curtain',
      'report.dueAt',
      'reporterAccount.provider',
      'reporterAccount.createdAt as reporterSince',
      latest('address').as('network'),
      latest('device').as('device'),
      build
        .selectFrom('reports as other')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('other.reporter', '=', 'report.reporter')
        .where((inner) => inner('other.at', '>', inner('report.at', '-', DAY_MS)))
        .where((inner) =>
          inner.or([
            inner('other.at', '<', inner.ref('report.at')),
            // Orders two reports of the same millisecond.
            inner.and([
              inner('other.at', '=', inner.ref('report.at')),
              inner('other.session', '<', inner.ref('report.session')),
            ]),
          ]),
        )
        .as('earlierToday'),
      decided('upheld').as('upheld'),
      decided('dismissed').as('dismissed'),
      build
        .selectFrom('reports as first')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('first.reporter', '=', 'report.reported')
        .whereRef('first.reported', '=', 'report.reporter')
        .whereRef('first.at', '<', 'report.at')
        .where((inner) => inner.or([inner('first.outcome', 'is', null), inner('first.outcome', '=', 'upheld')]))
        .where((inner) => {
          const before = inner
            .selectFrom('reports as before')
            .select((count) => count.fn.countAll<number>().as('count'))
            .whereRef('before.reporter', '=', 'first.reporter')
            .whereRef('before.at', '<', 'first.at')
            .where((earlier) => earlier('before.at', '>', earlier('first.at', '-', DAY_MS)))
          return inner(before, '<', DISARMING_REPORTS_A_DAY)
        })
        .as('reportedBefore'),
    ]
  })
}

type Counted = 'upheld' | 'dismissed' | 'earlierToday'
type Row = Omit<CaseReport, Counted | 'retaliation' | 'reporterSaw' | 'reportedSaw' | 'curtain'> & {
  [C in Counted | 'reportedBefore']: number | null
} & { reported: string; reporterSaw: number; reportedSaw: number; curtain: string | null }

const storedCurtainSchema = v.pipe(v.string(), v.parseJson(), curtainSeenSchema)

export function readCurtain(stored: string | null): CurtainSeen | null {
  return stored === null ? null : parse(storedCurtainSchema, stored)
}

export function withFacts(found: Row): CaseReport & { reported: string } {
  const { reportedBefore, upheld, dismissed, earlierToday, reporterSaw, reportedSaw, curtain, ...row } = found
  return {
    ...row,
    curtain: readCurtain(curtain),
    reporterSaw: reporterSaw === 1,
    reportedSaw: reportedSaw === 1,
    upheld: Number(upheld),
    dismissed: Number(dismissed),
    earlierToday: Number(earlierToday),
    retaliation: Number(reportedBefore) > 0,
  }
}
