import type { Database } from './database.ts'

/** Secrets that are not configured, for servers that share a database. */
export interface SharedSecrets {
  /** Stores `made` unless there is a secret of this name. Resolves with the stored one. */
  keep(name: string, made: string): Promise<string>
}

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
