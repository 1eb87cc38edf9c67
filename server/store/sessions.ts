import type { Sessions } from '../domain/ports.ts'
import type { Database } from './database.ts'

export function createSessions(db: Database): Sessions {
  return {
    async create(id, at) {
      await db
        .insertInto('userSessions')
        .values({ id, createdAt: at })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async find(id) {
      const row = await db
        .selectFrom('userSessions')
        .select(['id', 'accountId', 'enteredAt'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row ? { id: row.id, accountId: row.accountId, entered: row.enteredAt !== null } : null
    },

    async enter(entry, at) {
      await db
        .updateTable('userSessions')
        .set({
          enteredAt: at,
          browser: entry.UserAppRunOn,
          device: entry.UserDeviceName,
          os: entry.UserDeviceOs,
          city: entry.UserCity ?? null,
          country: entry.UserCountry ?? null,
        })
        .where('id', '=', entry.UserSessionId)
        .execute()
    },

    async attach(id, accountId, at) {
      await db
        .updateTable('userSessions')
        .set({ accountId, ownerId: accountId, attachedAt: at })
        .where('id', '=', id)
        .execute()
    },

    async addPlace(id, place) {
      await db
        .insertInto('ipDetails')
        .values({ sessionId: id, ...place })
        .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(place))
        .execute()
    },

    async device(id) {
      const row = await db
        .selectFrom('userSessions')
        .select(['browser', 'device', 'os'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.browser ? JSON.stringify([row.browser, row.device, row.os]) : null
    },

    async detach(id, accountId) {
      await db
        .updateTable('userSessions')
        .set({ accountId: null })
        .where('id', '=', id)
        .where('accountId', '=', accountId)
        .execute()
    },
  }
}
