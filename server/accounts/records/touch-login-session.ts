import type { Database } from '../../platform/database/database.ts'

/** Sets these times where the account is still signed in with the session; else changes nothing and returns false. */
export async function touchLoginSession(
  db: Database,
  id: string,
  accountId: string,
  times: { attachedAt: number; signedInAt?: number },
): Promise<boolean> {
  const touched = await db
    .updateTable('userSessions')
    .set(times)
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return touched.numUpdatedRows > 0n
}
