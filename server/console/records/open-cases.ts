import { DAY_MS } from '#protocol/durations.ts'
import { reportsWithFacts, withFacts } from '../../moderation/records/report-facts.ts'
import type { Database } from '../../platform/database/database.ts'
import type { OpenCase } from '../rules/case-queue.ts'

/** Time after a ban within which a new account with the same network and kind of device is shown to moderators. */
const RECENT_MS = 7 * DAY_MS
/**
 * Most new accounts that are shown; more than moderators read. A network with many new accounts, such as a dormitory's,
 * must not fill the queue.
 */
const SHOWN_MAX = 50

/**
 * Selects new accounts that may chat and about which no moderator has decided, with the network and the kind of device
 * of a person who was banned within `RECENT_MS` before. `at` is when the account was created.
 */
function resemblances(db: Database, ids: readonly string[] | null) {
  return db
    .selectFrom('bannedSignals as network')
    .innerJoin('riskSignals as own', 'own.digest', 'network.digest')
    .innerJoin('accounts', 'accounts.id', 'own.accountId')
    .leftJoin('caseVersions', 'caseVersions.accountId', 'accounts.id')
    .select(['accounts.id', 'accounts.createdAt as at'])
    .distinct()
    .where('network.kind', '=', 'address')
    .whereRef('accounts.createdAt', '>', 'network.at')
    .where(({ eb }) => eb('accounts.createdAt', '<=', eb('network.at', '+', RECENT_MS)))
    .where('accounts.status', 'in', ['Valid', 'Warning'])
    .where('caseVersions.accountId', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('bannedSignals as device')
          .innerJoin('riskSignals as same', 'same.digest', 'device.digest')
          .select('device.digest')
          .whereRef('device.person', '=', 'network.person')
          .where('device.kind', '=', 'device')
          .whereRef('same.accountId', '=', 'own.accountId'),
      ),
    )
    .$if(ids !== null, (query) => query.where('accounts.id', 'in', ids ?? []))
    .orderBy('at', 'desc')
    .orderBy('accounts.id')
    .limit(SHOWN_MAX)
}

function open(db: Database) {
  return db
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
}

/** Selects these users, with their status and what was open about an earlier account of the same person. */
function persons(db: Database, ids: readonly string[] | ReturnType<typeof open>, alike: readonly string[]) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
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
    .where(({ eb, or }) => or([eb('accounts.id', 'in', ids), ...alike.map((id) => eb('accounts.id', '=', id))]))
}

/** Reads these users, their open reports and their open findings in three statements; if `ids` is null, all users with an open case. */
export async function readCases(db: Database, ids: readonly string[] | null): Promise<OpenCase[]> {
  const alike = await resemblances(db, ids).execute()
  const resembles = new Map(alike.map(({ id, at }) => [id, at]))
  const rows = await persons(db, ids ?? open(db), ids === null ? [...resembles.keys()] : []).execute()
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
  const reports = Map.groupBy(openReports.map(withFacts), ({ reported }) => reported)
  const findings = new Map(openFindings.map(({ accountId, ...found }) => [accountId, found]))
  return rows.map(({ earlierReports, earlierFindings, earlierAt: at, ...person }) => {
    const found = findings.get(person.id)
    return {
      ...person,
      resemblesSince: resembles.get(person.id) ?? null,
      reports: reports.get(person.id) ?? [],
      earlier: at === null ? null : { reports: earlierReports ?? 0, findings: earlierFindings ?? 0, at },
      findings: { count: Number(found?.count ?? 0), oldestAt: found ? Number(found.oldestAt) : null },
    }
  })
}
