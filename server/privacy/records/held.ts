import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/schema.ts'

/** The accounts whose data the law asks to keep. */
export const heldAccounts = (db: Database) => db.selectFrom('legalHolds').select('legalHolds.accountId')

/** What belongs to two people. */
const shared = {
  evidence: ['uploader', 'subject'],
  reports: ['reporter', 'reported'],
  liveSessions: ['caller', 'callee'],
  meetings: ['first', 'second'],
  blocks: ['by', 'whom'],
} as const satisfies Partial<Record<keyof Tables, readonly [string, string]>>
type Shared = keyof typeof shared
export const sharedTables = Object.keys(shared) as Shared[]

/** True of rows of this table that a hold on neither of the two keeps. */
export function ofNobodyHeld(db: Database, table: Shared): RawBuilder<boolean> {
  const [one, other] = shared[table]
  const held = heldAccounts(db)
  return sql<boolean>`(${sql.ref(one)} not in ${held} and ${sql.ref(other)} not in ${held})`
}

/** True of rows of this table in which this account has a part. */
export function inWhich(accountId: string, table: Shared): RawBuilder<boolean> {
  const [one, other] = shared[table]
  return sql<boolean>`(${sql.ref(one)} = ${accountId} or ${sql.ref(other)} = ${accountId})`
}

/** True where the account with the id of this column is part of what a hold on somebody else keeps. */
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
