import * as v from 'valibot'
import { incidentTypeSchema } from '#protocol/console-preservations.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Preservations } from '../rules/preservation-ports.ts'

const rowSchema = v.object({
  id: v.string(),
  receipt: v.string(),
  caseId: v.string(),
  incidentType: incidentTypeSchema,
  openedBy: v.string(),
  openedAt: v.number(),
  confirmedBy: v.nullable(v.string()),
  confirmedAt: v.nullable(v.number()),
  authority: v.nullable(v.string()),
  authorityReference: v.nullable(v.string()),
  sentBy: v.nullable(v.string()),
  sentAt: v.nullable(v.number()),
  keptFrom: v.number(),
})
const sealedSchema = v.object({ ...rowSchema.entries, keyId: v.string(), sealed: v.instance(Uint8Array) })
const columns = Object.keys(rowSchema.entries) as (keyof typeof rowSchema.entries)[]

export function createPreservations(db: Database): Preservations {
  return {
    async add(preservation) {
      await db.insertInto('preservations').values(preservation).execute()
    },

    async latest(limit) {
      const query = db.selectFrom('preservations').select(columns).orderBy('openedAt', 'desc').orderBy('id')
      return (await query.limit(limit).execute()).map((row) => parse(rowSchema, row))
    },

    async find(id) {
      const row = await db.selectFrom('preservations').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? parse(sealedSchema, row) : null
    },

    async confirm(id, moderator, at) {
      const { numUpdatedRows } = await db
        .updateTable('preservations')
        .set({ confirmedBy: moderator, confirmedAt: at, keptFrom: at })
        .where('id', '=', id)
        .where('confirmedAt', 'is', null)
        .where('openedBy', '!=', moderator)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async refuse(id, moderator) {
      const { numDeletedRows } = await db
        .deleteFrom('preservations')
        .where('id', '=', id)
        .where('confirmedAt', 'is', null)
        .where('openedBy', '!=', moderator)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async setSent(id, sent) {
      const { numUpdatedRows } = await db
        .updateTable('preservations')
        .set({ ...sent, keptFrom: sent.sentAt })
        .where('id', '=', id)
        .where('confirmedAt', 'is not', null)
        .where('sentAt', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
