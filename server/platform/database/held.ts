import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

/** The accounts under a legal hold. */
export const heldAccounts = (db: Database) => db.selectFrom('legalHolds').select('legalHolds.accountId')

/** The tables whose rows belong to two accounts, with the two columns. */
const shared = {
  evidence: ['uploader', 'subject'],
  reports: ['reporter', 'reported'],
  liveSessions: ['caller', 'callee'],
  meetings: ['first', 'second'],
  blocks: ['by', 'whom'],
} as const satisfies Partial<Record<keyof Tables, readonly [string, string]>>
type Shared = keyof typeof shared
export const sharedTables = Object.keys(shared) as Shared[]

/** True for a row of this table if neither of its accounts is under a legal hold. */
export function hasNoHold(db: Database, table: Shared): RawBuilder<boolean> {
  const [one, other] = shared[table]
  const held = heldAccounts(db)
  return sql<boolean>`(${sql.ref(one)} not in ${held} and ${sql.ref(other)} not in ${held})`
}

/** True for a row of this table that belongs to this account. */
export function belongsTo(accountId: string, table: Shared): RawBuilder<boolean> {
  const [one, other] = shared[table]
  return sql<boolean>`(${sql.ref(one)} = ${accountId} or ${sql.ref(other)} = ${accountId})`
}

/** True if the account with the id of this column shares a row with an account under a legal hold. */
export function isPartOfHeld(db: Database, id: string): RawBuilder<boolean> {
  const held = heldAccounts(db)
  const ties = sharedTables.flatMap((table) => {
    const [one, other] = shared[table]
    return [
      sql`${sql.ref(id)} in (select ${sql.ref(one)} from ${sql.table(table)} where ${sql.ref(other)} in ${held})`,
      sql`${sql.ref(id)} in (select ${sql.ref(other)} from ${sql.table(table)} where ${sql.ref(one)} in ${held})`,
    ]
  })
  return sql<boolean>`(${sql.join(ties, sql` or `)})`
}
