import type { Database } from '../../platform/database/database.ts'
import { heldAccounts } from '../../platform/database/held.ts'
import { changedRows } from '../../platform/database/row-counts.ts'
import type { Frames, Signals } from '../rules/ports.ts'

function createFrames(db: Database): Frames {
  return {
    record: (frames) =>
      db.transaction().execute(async (inside) => {
        const people = [...new Set(frames.map(({ accountId }) => accountId))]
        const here = await inside.selectFrom('accounts').select('id').where('id', 'in', people).execute()
        const ids = new Set(here.map(({ id }) => id))
        const rows = frames.filter(({ accountId }) => ids.has(accountId))
        if (rows.length > 0) await inside.insertInto('frames').values(rows).execute()
      }),
  }
}

function createSignals(db: Database): Signals {
  return {
    async add({ from, ...signal }) {
      const row = { ...signal, fromAt: from }
      await db.insertInto('frameSignals').values(row).execute()
    },

    async of(accountId, limit) {
      const own = db.selectFrom('frameSignals').selectAll().where('accountId', '=', accountId)
      const rows = await own.orderBy('at', 'desc').limit(limit).execute()
      return rows.map(({ id, fromAt, ...signal }) => ({ ...signal, from: fromAt }))
    },

    expire(before) {
      const old = db.deleteFrom('frameSignals').where('at', '<', before)
      return changedRows(old.where('accountId', 'not in', heldAccounts(db)))
    },
  }
}

export function createFrameRecords(db: Database) {
  return { frames: createFrames(db), signals: createSignals(db) }
}
