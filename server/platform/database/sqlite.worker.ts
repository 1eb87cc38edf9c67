import { DatabaseSync } from 'node:sqlite'
import type { IGenericSqlite } from 'kysely-generic-sqlite'
import { createNodeOnMessageCallback } from 'kysely-generic-sqlite/worker-helper-node'

/** Time to wait for another server that is just ending and still holds the folder. */
const BUSY_MS = 1_000

const pragmas = [
  // First, so that the change of the journal mode already happens under the lock that keeps a second server out.
  'pragma locking_mode = exclusive',
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
  // An exclusive lock is taken by the first write and kept until the process ends.
  'begin immediate',
  'commit',
]

function open(file: string): IGenericSqlite<DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  for (const pragma of pragmas) db.exec(pragma)
  return {
    db,
    query(_isSelect, text, parameters) {
      const statement = db.prepare(text)
      const values = (parameters ?? []) as (string | number | bigint | Uint8Array | null)[]
      if (statement.columns().length > 0) return { rows: statement.all(...values) }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    close: () => db.close(),
  }
}

createNodeOnMessageCallback<{ file: string }>(({ file }) => open(file))
