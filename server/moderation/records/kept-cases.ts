import * as v from 'valibot'
import { blockStatusSchema, causeSchema, ruleSchema } from '#protocol/moderation.ts'
import { parse } from '#protocol/parse.ts'
import type { Database } from '../../platform/database/database.ts'
import type { KeptCases } from '../rules/ports.ts'

const keptSchema = v.object({
  person: v.string(),
  status: blockStatusSchema,
  what: causeSchema,
  rule: ruleSchema,
  until: v.nullable(v.number()),
  reports: v.number(),
  findings: v.number(),
  at: v.number(),
  expiresAt: v.number(),
})

export function createKeptCases(db: Database): KeptCases {
  return {
    async keep(kept) {
      await db
        .insertInto('keptCases')
        .values({ ...kept, accountId: null })
        .onConflict((conflict) => conflict.column('person').doUpdateSet({ ...kept, accountId: null }))
        .execute()
    },

    async find(person, now) {
      const row = await db
        .selectFrom('keptCases')
        .selectAll()
        .where('person', '=', person)
        .where('accountId', 'is', null)
        .where('expiresAt', '>', now)
        .executeTakeFirst()
      return row ? parse(keptSchema, row) : null
    },

    async attach(person, accountId) {
      await db
        .updateTable('keptCases')
        .set({ accountId })
        .where('person', '=', person)
        .where('accountId', 'is', null)
        .execute()
    },

    async remove(person) {
      await db.deleteFrom('keptCases').where('person', '=', person).execute()
    },
  }
}
