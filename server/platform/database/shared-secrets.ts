import type { SharedSecrets } from '../rules/ports.ts'
import type { Database } from './database.ts'

export function createSharedSecrets(db: Database): SharedSecrets {
  return {
    async keep(name, made) {
      await db
        .insertInto('sharedSecrets')
        .values({ name, value: made })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      const { value } = await db
        .selectFrom('sharedSecrets')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
      return value
    },
  }
}
