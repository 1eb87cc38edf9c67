import type { Database } from '../../platform/database/database.ts'
import { changesRow } from '../../platform/database/row-counts.ts'
import type { Preservations } from '../rules/preservation-ports.ts'

export function createPreservations(db: Database): Preservations {
  return {
    async add(preservation) {
      await db.insertInto('preservations').values(preservation).execute()
    },

    latest: (limit) =>
      db
        .selectFrom('preservations')
        .select(['id', 'receipt', 'caseId', 'incidentType', 'openedBy', 'openedAt', 'confirmedBy', 'confirmedAt'])
        .select(['authority', 'authorityReference', 'sentBy', 'sentAt', 'keptFrom'])
        .orderBy('openedAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async find(id) {
      return (await db.selectFrom('preservations').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    confirm: (id, moderator, at) =>
      changesRow(
        db
          .updateTable('preservations')
          .set({ confirmedBy: moderator, confirmedAt: at, keptFrom: at })
          .where((row) => row.and({ id, confirmedAt: null }))
          .where('openedBy', '!=', moderator),
      ),

    refuse: (id, moderator) =>
      changesRow(
        db
          .deleteFrom('preservations')
          .where((row) => row.and({ id, confirmedAt: null }))
          .where('openedBy', '!=', moderator),
      ),

    setSent: (id, sent) =>
      changesRow(
        db
          .updateTable('preservations')
          .set({ ...sent, keptFrom: sent.sentAt })
          .where((row) => row.and({ id, sentAt: null }))
          .where('confirmedAt', 'is not', null),
      ),
  }
}
