import type { Database } from '../../platform/database/database.ts'
import type { Frames } from '../rules/ports.ts'

export function createFrames(db: Database): Frames {
  return {
    async record(frames) {
      await db.transaction().execute(async (inside) => {
        const people = [...new Set(frames.map(({ accountId }) => accountId))]
        const here = await inside.selectFrom('accounts').select('id').where('id', 'in', people).execute()
        const ids = new Set(here.map(({ id }) => id))
        const rows = frames.filter(({ accountId }) => ids.has(accountId))
        if (rows.length > 0) await inside.insertInto('frames').values(rows).execute()
      })
    },
  }
}
