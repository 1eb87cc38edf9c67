import type { Database } from '../../platform/database/database.ts'
import type { Logs } from '../rules/ports.ts'

/** Log entries that are kept. Batches need no login, so the number of entries must be limited. */
const ENTRIES_KEPT = 100_000
/** SQLite binds at most 32,766 values in a statement. */
const ROWS_AT_ONCE = 500

export function createLogs(db: Database): Logs {
  return {
    add(entries, key, at) {
      return db.transaction().execute(async (step) => {
        const session = entries[0]?.userSessionId
        if (session === undefined) return true
        if (key !== null) {
          const batch = await step
            .insertInto('logBatches')
            .values({ session, key, at })
            .onConflict((conflict) => conflict.columns(['session', 'key']).doNothing())
            .executeTakeFirst()
          if (batch.numInsertedOrUpdatedRows === 0n) return false
        }
        const rows = entries.map((entry) => ({
          session: entry.userSessionId,
          level: entry.logLevel,
          message: entry.logMessage,
          platform: entry.platform,
          dateTime: entry.dateTime,
          at,
        }))
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
          await step
            .insertInto('logEntries')
            .values(rows.slice(start, start + ROWS_AT_ONCE))
            .execute()
        await step
          .deleteFrom('logEntries')
          .where('id', '<=', (build) =>
            build.selectFrom('logEntries').select((inner) => inner(inner.fn.max('id'), '-', ENTRIES_KEPT).as('oldest')),
          )
          .execute()
        return true
      })
    },
  }
}
