import { type SqlBool, sql } from 'kysely'
import * as v from 'valibot'
import { DAY_MS } from '#protocol/durations.ts'
import { parse } from '#protocol/parse.ts'
import { type CurtainSeen, curtainSeenSchema } from '#protocol/reports.ts'
import type { CaseReport } from '../../console/rules/ports.ts'
import type { Database } from '../../platform/database/database.ts'
import { DISARMING_REPORTS_A_DAY } from '../rules/report-weight.ts'
import { countOf, creditOf, dismissedOf, isOnlyKept, MINOR, sharedNetworks } from './reporter-record.ts'

/** True of reports `other` before the report `report`. The ids of their matches order reports of the same millisecond. */
function isBefore(other: string) {
  const [at, session] = [sql.ref(`${other}.at`), sql.ref(`${other}.session`)]
  return sql<SqlBool>`(${at} < "report"."at" or (${at} = "report"."at" and ${session} < "report"."session"))`
}

const isWithinDayBefore = (other: string) =>
  sql<SqlBool>`${sql.ref(`${other}.at`)} > "report"."at" - ${sql.lit(DAY_MS)} and ${isBefore(other)}`

/** Counts the reporter's earlier reports of a possible minor that wait for a decision. */
function waitingMinors(db: Database) {
  const now = db
    .selectFrom('reports as waiting')
    .select(countOf.as('count'))
    .where('waiting.reporter', '=', sql.ref<string>('report.reporter'))
    .where('waiting.outcome', 'is', null)
    .where('waiting.reason', '=', MINOR)
    .where(isBefore('waiting'))
  const before = db
    .selectFrom('keptReports as past')
    .select(countOf.as('count'))
    .where('past.accountId', '=', sql.ref<string>('report.reporter'))
    .where('past.outcome', 'is', null)
    .where('past.reason', '=', MINOR)
    .where(isOnlyKept)
  return sql<number>`${now} + ${before}`
}

function minorsOfNetwork(db: Database) {
  return db
    .selectFrom('reports as near')
    .select(countOf.as('count'))
    .where(sql.ref('report.reason'), '=', MINOR)
    .where('near.reason', '=', MINOR)
    .where('near.settled', '=', 1)
    .where(isWithinDayBefore('near'))
    .where('near.reporter', '<>', sql.ref<string>('report.reporter'))
    .where((near) => near.exists(sharedNetworks(db, 'report.reporter', 'near.reporter')))
}

/** True if the account is restricted, or moderators upheld a report about it by somebody other than `except`. */
function isKnown(db: Database, account: 'report.reporter' | 'report.reported', status: string, except: string) {
  const proofs = db
    .selectFrom('reports as proof')
    .select('proof.session')
    .where('proof.reported', '=', sql.ref<string>(account))
    .where('proof.outcome', '=', 'upheld')
    .where('proof.reporter', '<>', sql.ref<string>(except))
  return sql<SqlBool>`(${sql.ref(status)} <> 'Valid' or exists ${proofs})`
}

/** True of a reporter's first `DISARMING_REPORTS_A_DAY` reports within 24 hours. */
function isFirstOfDay(db: Database, alias: 'first' | 'answer') {
  const [reporter, at] = [sql.ref<string>(`${alias}.reporter`), sql.ref<number>(`${alias}.at`)]
  const before = db
    .selectFrom('reports as before')
    .select(countOf.as('count'))
    .where('before.reporter', '=', reporter)
    .where('before.at', '<', at)
    .where(sql<SqlBool>`"before"."at" > ${at} - ${sql.lit(DAY_MS)}`)
  return sql<SqlBool>`${before} < ${sql.lit(DISARMING_REPORTS_A_DAY)}`
}

/**
 * 1 if the two users have reported each other and only the reporter is restricted or was the subject of another
 * person's upheld report; else 0. The answering report counts if it is upheld. Without a decision it counts only with a
 * call and among the first of its day: else such an answer would cost an offender nothing.
 */
function outweighed(db: Database) {
  const answers = db
    .selectFrom('reports as answer')
    .select('answer.session')
    .where('answer.reporter', '=', sql.ref<string>('report.reported'))
    .where('answer.reported', '=', sql.ref<string>('report.reporter'))
    .where((answer) => {
      const waits = [answer('answer.outcome', 'is', null), answer('answer.callMs', 'is not', null)]
      return answer.or([answer('answer.outcome', '=', 'upheld'), answer.and([...waits, isFirstOfDay(db, 'answer')])])
    })
  const reporter = isKnown(db, 'report.reporter', 'reporterAccount.status', 'report.reported')
  const reported = isKnown(db, 'report.reported', 'reportedAccount.status', 'report.reporter')
  return sql<number>`case when exists ${answers} and ${reporter} and not ${reported} then 1 else 0 end`
}

/** Selects reports with the facts by which they are weighed. */
export function reportsWithFacts(db: Database) {
  const reporters = db
    .selectFrom('reports as report')
    .innerJoin('accounts as reporterAccount', 'reporterAccount.id', 'report.reporter')
    .innerJoin('accounts as reportedAccount', 'reportedAccount.id', 'report.reported')
    .select(['report.session', 'report.reporter', 'report.reported', 'report.type', 'report.at', 'report.callMs'])
    .select(['report.reporterSaw', 'report.reportedSaw', 'report.keptCalls', 'report.outcome', 'report.reason'])
    .select(['report.note', 'report.curtain', 'report.dueAt'])
    .select(['reporterAccount.provider', 'reporterAccount.createdAt as reporterSince'])
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
    return [
      latest('address').as('network'),
      latest('device').as('device'),
      build
        .selectFrom('reports as other')
        .select(countOf.as('count'))
        .whereRef('other.reporter', '=', 'report.reporter')
        .where(isWithinDayBefore('other'))
        .as('earlierToday'),
      build
        .selectFrom('reports as right')
        .select(countOf.as('count'))
        .whereRef('right.reporter', '=', 'report.reporter')
        .where('right.outcome', '=', 'upheld')
        .as('upheld'),
      creditOf(db, 'report.reporter').as('credit'),
      dismissedOf(db, 'report.reporter').as('dismissed'),
      dismissedOf(db, 'report.reporter', MINOR).as('minorsWrong'),
      waitingMinors(db).as('minorsWaiting'),
      minorsOfNetwork(db).as('minorsOfNetwork'),
      outweighed(db).as('outweighed'),
      build
        .selectFrom('reports as first')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('first.reporter', '=', 'report.reported')
        .whereRef('first.reported', '=', 'report.reporter')
        .whereRef('first.at', '<', 'report.at')
        .where((inner) => inner.or([inner('first.outcome', 'is', null), inner('first.outcome', '=', 'upheld')]))
        .where(isFirstOfDay(db, 'first'))
        .as('reportedBefore'),
    ]
  })
}

type Row = Awaited<ReturnType<ReturnType<typeof reportsWithFacts>['execute']>>[number]

const storedCurtainSchema = v.pipe(v.string(), v.parseJson(), curtainSeenSchema)

export function readCurtain(stored: string | null): CurtainSeen | null {
  return stored === null ? null : parse(storedCurtainSchema, stored)
}

/** PostgreSQL returns counts and sums as text. */
export function withFacts({ reportedBefore, ...row }: Row): CaseReport & { reported: string } {
  return {
    ...row,
    upheld: Number(row.upheld),
    credit: Number(row.credit),
    dismissed: Number(row.dismissed),
    earlierToday: Number(row.earlierToday),
    minorsWrong: Number(row.minorsWrong),
    minorsWaiting: Number(row.minorsWaiting),
    minorsOfNetwork: Number(row.minorsOfNetwork),
    curtain: readCurtain(row.curtain),
    reporterSaw: row.reporterSaw === 1,
    reportedSaw: row.reportedSaw === 1,
    outweighed: row.outweighed === 1,
    retaliation: Number(reportedBefore) > 0,
  }
}
