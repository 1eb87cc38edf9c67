import type { Database } from './database.ts'

/** Stores the secrets that are not configured, for servers that share a database. */
export interface SharedSecrets {
  /** Stores `made` unless a secret of this name is stored. Resolves with the stored secret. */
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
