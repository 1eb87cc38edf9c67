import { CONSOLE_LOGIN_SESSION_MS } from '#protocol/console.ts'
import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { ModeratorAccount, Moderators } from '../rules/ports.ts'

export function createModerators(db: Database): Moderators {
  /** Changes an account and ends its login sessions. Resolves with false when there is no such account. */
  function changeAndLogOut(name: string, change: Partial<ModeratorAccount>): Promise<boolean> {
    return db.transaction().execute(async (step) => {
      const changed = await step
        .updateTable('moderators')
        .set(change)
        .where('name', '=', name)
        .returning('id')
        .executeTakeFirst()
      if (changed) await step.deleteFrom('moderatorSessions').where('moderatorId', '=', changed.id).execute()
      return changed !== undefined
    })
  }

  return {
    add: (account) =>
      changesRow(
        db
          .insertInto('moderators')
          .values(account)
          .onConflict((conflict) => conflict.column('name').doNothing()),
      ),

    async findByName(name) {
      return (await db.selectFrom('moderators').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
    },

    all: () => db.selectFrom('moderators').selectAll().orderBy('name').execute(),

    disable: (name, at) => changeAndLogOut(name, { disabledAt: at }),

    reset: (name, credentials) => changeAndLogOut(name, { ...credentials, disabledAt: null }),

    consumeTotpStep: (id, totpStep) =>
      changesRow(db.updateTable('moderators').set({ totpStep }).where('id', '=', id).where('totpStep', '<', totpStep)),

    openLoginSession(session, password, rehashed) {
      return db.transaction().execute(async (step) => {
        await step
          .deleteFrom('moderatorSessions')
          .where('createdAt', '<=', session.createdAt - CONSOLE_LOGIN_SESSION_MS)
          .execute()
        // Locks the account: a concurrent reset is either seen here or runs later and ends this login session.
        const account = await step
          .updateTable('moderators')
          .set({ password: rehashed ?? password })
          .where((row) => row.and({ id: session.moderatorId, password, disabledAt: null }))
          .returning('id')
          .executeTakeFirst()
        if (account) await step.insertInto('moderatorSessions').values(session).execute()
        return account !== undefined
      })
    },

    async findLoginSession(digest) {
      const row = await db
        .selectFrom('moderatorSessions as session')
        .innerJoin('moderators', 'moderators.id', 'session.moderatorId')
        .select(['session.id', 'session.moderatorId', 'session.createdAt', 'session.seenAt', 'moderators.name'])
        .where('session.digest', '=', digest)
        .where('moderators.disabledAt', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    async touchLoginSession(id, at) {
      await db.updateTable('moderatorSessions').set({ seenAt: at }).where('id', '=', id).execute()
    },

    async closeLoginSession(id) {
      await db.deleteFrom('moderatorSessions').where('id', '=', id).execute()
    },
  }
}
