import type { Database } from '../../platform/database/database.ts'
import type { MatchRecords } from '../rules/ports.ts'

export function createMatchRecords(db: Database): MatchRecords {
  return {
    async open(match) {
      await db
        .insertInto('liveSessions')
        .values({
          ...match,
          connected: Number(match.connected),
          callerSawAt: null,
          calleeSawAt: null,
          endedAt: null,
        })
        // A write whose result was lost is repeated.
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async confirm(id, role, at) {
      const confirmed = role === 'Caller' ? { callerSawAt: at, connected: 1 } : { calleeSawAt: at }
      await db.updateTable('liveSessions').set(confirmed).where('id', '=', id).execute()
    },

    async close(id, at) {
      await db
        .updateTable('liveSessions')
        .set({ endedAt: at })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .execute()
    },

    async all() {
      const rows = await db
        .selectFrom('liveSessions')
        .select(['id', 'caller', 'callee', 'startedAt', 'connected'])
        .where('endedAt', 'is', null)
        .execute()
      return rows.map((row) => ({ ...row, connected: row.connected === 1 }))
    },

    async find(id) {
      const row = await db
        .selectFrom('liveSessions')
        .select(['caller', 'callee', 'startedAt', 'endedAt', 'callerSawAt', 'calleeSawAt'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      const { callerSawAt, calleeSawAt, ...match } = row
      return { ...match, wasCall: callerSawAt !== null || calleeSawAt !== null }
    },
  }
}
