import type { Database } from '../../platform/database/database.ts'

/** Sets these times of the login session. Changes nothing and returns false unless this account is still signed in with it. */
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
