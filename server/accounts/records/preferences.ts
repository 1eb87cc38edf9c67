import { sql } from 'kysely'
import { blockStatuses, mayChat } from '#protocol/block-status.ts'
import type { Preferences } from '#protocol/preferences.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { CommonTerms, PreferenceRecords } from '../rules/profile-ports.ts'

const suspended = blockStatuses.filter((status) => !mayChat(status))

export function preferencesOf(rows: readonly { kind: string | null; value: string | null }[]): Preferences {
  const valuesOf = (wanted: string) =>
    rows.flatMap(({ kind, value }) => (kind === wanted && value !== null ? [value] : []))
  return { languages: valuesOf('language'), interests: valuesOf('interest') }
}

/** Resolves with the languages and interests of one user, in the order in which they were chosen. */
export async function readPreferences(db: Database, accountId: string): Promise<Preferences> {
  const rows = await db
    .selectFrom('preferences')
    .select(['kind', 'value'])
    .where('accountId', '=', accountId)
    .orderBy('position')
    .execute()
  return preferencesOf(rows)
}

function rowsOf(accountId: string, { languages, interests }: Preferences) {
  return [
    ...languages.map((value, position) => ({ accountId, kind: 'language' as const, position, value })),
    ...interests.map((value, position) => ({ accountId, kind: 'interest' as const, position, value })),
  ]
}

/** Most people that a count reads, at 0.1 ms each. The order by their random ids makes each count read the same people. */
const PEOPLE_READ_MAX = 5_000
/** Most people that one statement reads: it blocks other statements on a SQLite file for at most 30 ms. */
const BATCH_SIZE = 250

/**
 * Selects people with an old enough account and an interest that at least `networks` accounts have, each with the
 * network of the last sign-in.
 */
async function peopleWithNetworks(db: Database, { networks, createdBefore }: CommonTerms) {
  const ofMany = db
    .selectFrom('preferences')
    .select('value')
    .where('kind', '=', 'interest')
    .groupBy('value')
    .having((build) => build.fn.countAll<number>(), '>=', networks)
  const rows = await db
    .selectFrom('accounts')
    .select((build) => [
      'accounts.id',
      build
        .selectFrom('riskSignals')
        .select('riskSignals.digest')
        .whereRef('riskSignals.accountId', '=', 'accounts.id')
        .where('riskSignals.kind', '=', 'address')
        .orderBy('riskSignals.at', 'desc')
        .orderBy('riskSignals.digest')
        .limit(1)
        .as('network'),
    ])
    .where('accounts.status', 'not in', suspended)
    .where('accounts.createdAt', '<=', createdBefore)
    .where('accounts.id', 'in', (build) =>
      build.selectFrom('preferences').select('accountId').where('kind', '=', 'interest').where('value', 'in', ofMany),
    )
    .orderBy('accounts.id')
    .limit(PEOPLE_READ_MAX)
    .execute()
  return rows.flatMap(({ id, network }) => (network === null ? [] : [[id, network] as const]))
}

/** Selects the interests of those people among `ids` who have kept calls with enough others. */
function interestsOfSettled(db: Database, ids: readonly string[], { calls, lastedMs }: CommonTerms) {
  return db
    .selectFrom('preferences')
    .select(['accountId', 'value'])
    .where('kind', '=', 'interest')
    .where('accountId', 'in', ids)
    .where(({ selectFrom }) => {
      // A statement for each side, so that each uses its own index.
      const peersOf = (own: 'caller' | 'callee', peer: 'caller' | 'callee') =>
        selectFrom('liveSessions')
          .select(`liveSessions.${peer} as peer`)
          .where(sql<boolean>`${sql.ref(`liveSessions.${own}`)} = accounts.id`)
          .where('callerSawAt', 'is not', null)
          .where('calleeSawAt', 'is not', null)
          .where((match) => match(match('endedAt', '-', match.ref('startedAt')), '>=', lastedMs))
      const peers = peersOf('caller', 'callee').union(peersOf('callee', 'caller'))
      const settled = selectFrom('accounts')
        .select('accounts.id')
        .where('accounts.id', 'in', ids)
        .where(sql<boolean>`(select count(*) from (${peers}) as peers) >= ${calls}`)
      return sql<boolean>`${sql.ref('preferences.accountId')} in (${settled})`
    })
    .execute()
}

export function createPreferences(db: Database): PreferenceRecords {
  return {
    find: (accountId) => readPreferences(db, accountId),

    replace(accountId, preferences) {
      return db.transaction().execute(async (step) => {
        // Locks the profile: of two changes at the same time, the later replaces the earlier as a whole, and no row
        // remains after a deletion of the account.
        const profile = step.updateTable('profiles').set({ accountId }).where('accountId', '=', accountId)
        if (!(await changesRow(profile))) return false
        await step.deleteFrom('preferences').where('accountId', '=', accountId).execute()
        const rows = rowsOf(accountId, preferences)
        if (rows.length > 0) await step.insertInto('preferences').values(rows).execute()
        return true
      })
    },

    async commonInterests(terms) {
      const people = new Map(await peopleWithNetworks(db, terms))
      const ids = [...people.keys()]
      const networksOf = new Map<string, Set<string>>()
      for (let from = 0; from < ids.length; from += BATCH_SIZE) {
        for (const { accountId, value } of await interestsOfSettled(db, ids.slice(from, from + BATCH_SIZE), terms)) {
          const networks = networksOf.get(value) ?? new Set()
          networksOf.set(value, networks.add(people.get(accountId) ?? ''))
        }
      }
      return [...networksOf]
        .filter(([, networks]) => networks.size >= terms.networks)
        .sort(([one, { size }], [other, { size: otherSize }]) => otherSize - size || (one < other ? -1 : 1))
        .slice(0, terms.max)
        .map(([interest]) => interest)
    },
  }
}
