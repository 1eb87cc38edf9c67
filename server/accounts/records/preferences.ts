import { blockStatuses, mayChat } from '#protocol/block-status.ts'
import type { Preferences } from '#protocol/preferences.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PreferenceRecords } from '../rules/preference-ports.ts'

const suspended = blockStatuses.filter((status) => !mayChat(status))

/** Returns both lists of rows in their order. */
export function preferencesOf(rows: readonly { kind: string | null; value: string | null }[]): Preferences {
  const valuesOf = (wanted: string) =>
    rows.flatMap(({ kind, value }) => (kind === wanted && value !== null ? [value] : []))
  return { languages: valuesOf('language'), interests: valuesOf('interest') }
}

/** Returns both lists of one user, in the order in which they were chosen. */
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

export function createPreferences(db: Database): PreferenceRecords {
  return {
    find: (accountId) => readPreferences(db, accountId),

    replace(accountId, preferences) {
      return db.transaction().execute(async (step) => {
        // Locks the profile: of two changes at once one replaces the other as a whole, and a deletion leaves nothing behind.
        const { numUpdatedRows } = await step
          .updateTable('profiles')
          .set({ accountId })
          .where('accountId', '=', accountId)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await step.deleteFrom('preferences').where('accountId', '=', accountId).execute()
        const rows = rowsOf(accountId, preferences)
        if (rows.length > 0) await step.insertInto('preferences').values(rows).execute()
        return true
      })
    },

    async commonInterests(fromUsers, max) {
      const rows = await db
        .selectFrom('preferences')
        .select('value')
        .where('kind', '=', 'interest')
        .where('accountId', 'not in', (build) =>
          build.selectFrom('accounts').select('id').where('status', 'in', suspended),
        )
        .groupBy('value')
        .having((build) => build.fn.countAll<number>(), '>=', fromUsers)
        .orderBy((build) => build.fn.countAll<number>(), 'desc')
        .orderBy('value')
        .limit(max)
        .execute()
      return rows.map(({ value }) => value)
    },
  }
}
