import type { Database } from '../../platform/database/database.ts'
import { gathered } from '../../platform/rules/gathered.ts'
import type { Accounts, Admission } from '../rules/ports.ts'
import { preferencesOf, readPreferences } from './preferences.ts'

const columns = ['provider', 'subject', 'email', 'firstName', 'lastName', 'status', 'loginsSince', 'language'] as const

async function readAdmissions(db: Database, ids: readonly string[]): Promise<(id: string) => Admission | null> {
  const rows = await db
    .selectFrom('accounts as account')
    .leftJoin('profiles as profile', 'profile.accountId', 'account.id')
    .leftJoin('preferences as wish', 'wish.accountId', 'profile.accountId')
    .select(['account.id', 'account.status', 'profile.accountId as profileOf', 'wish.kind', 'wish.value'])
    .where('account.id', 'in', [...ids])
    .orderBy('wish.position')
    .execute()
  const byAccount = Map.groupBy(rows, ({ id }) => id)
  return (id) => {
    const own = byAccount.get(id) ?? []
    const [row] = own
    if (!row) return null
    return { status: row.status, hasProfile: row.profileOf !== null, ...preferencesOf(own) }
  }
}

export function createAccounts(db: Database, newId: () => string): Accounts {
  return {
    signIn: (identity, at) =>
      db
        .insertInto('accounts')
        .values({ ...identity, id: newId(), status: 'Valid', createdAt: at })
        // A later sign-in updates only the email: the user may have changed the names since the first sign-in.
        .onConflict((conflict) => conflict.columns(['provider', 'subject']).doUpdateSet({ email: identity.email }))
        .returning(['id', ...columns])
        .executeTakeFirstOrThrow(),

    async find(id) {
      const row = await db
        .selectFrom('accounts')
        .select(['id', ...columns])
        .where('id', '=', id)
        .executeTakeFirst()
      return row ?? null
    },

    async signedInWith(sessionIds) {
      const rows = await db
        .selectFrom('userSessions as session')
        .innerJoin('accounts as account', 'account.id', 'session.accountId')
        .select(['account.id', ...columns])
        .select(['session.id as sessionId', 'session.signedInAt', 'session.createdAt as sessionSince'])
        .where('session.id', 'in', [...sessionIds])
        .execute()
      return rows.map(({ sessionId, signedInAt, sessionSince, ...account }) => ({
        sessionId,
        signedInAt: signedInAt ?? sessionSince,
        account,
      }))
    },

    admission: gathered({ ask: (ids: readonly string[]) => readAdmissions(db, ids) }),

    async setNames(id, firstName, lastName) {
      await db.updateTable('accounts').set({ firstName, lastName }).where('id', '=', id).execute()
    },

    async setLanguage(id, language) {
      await db.updateTable('accounts').set({ language }).where('id', '=', id).execute()
    },

    async profile(id) {
      const [row, preferences] = await Promise.all([
        db
          .selectFrom('profiles')
          .select(['nickName', 'gender', 'dateOfBirth', 'consentVersion', 'consentAt'])
          .where('accountId', '=', id)
          .executeTakeFirst(),
        readPreferences(db, id),
      ])
      return row ? { ...row, ...preferences } : null
    },

    async nickName(id) {
      const row = await db.selectFrom('profiles').select('nickName').where('accountId', '=', id).executeTakeFirst()
      return row?.nickName ?? null
    },

    async saveProfile(id, profile, picture) {
      const { dateOfBirth, ...changed } = profile
      const replaced = picture && { picture, thumbnail: null, pictureCheck: 'unchecked' as const }
      await db
        .insertInto('profiles')
        .values({ ...profile, accountId: id, picture })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...changed, ...replaced }))
        .execute()
    },
  }
}
