import type { DeleteResult, InsertResult, SelectQueryBuilder, UpdateResult } from 'kysely'

type Change = { executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult> }

/** Runs a statement and resolves with the number of rows that it inserted, updated or deleted. */
export async function changedRows(change: Change): Promise<number> {
  const result: Partial<InsertResult & UpdateResult & DeleteResult> = await change.executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? result.numUpdatedRows ?? result.numDeletedRows ?? 0)
}

/** Runs a statement and resolves with true if it inserted, updated or deleted a row. */
export async function changesRow(change: Change): Promise<boolean> {
  return (await changedRows(change)) > 0
}

/** Resolves with the number of rows that the query selects. */
export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll().as('count'))
  return Number((await counted.$castTo<{ count: number | string }>().executeTakeFirstOrThrow()).count)
}
