import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../../config/config.ts'
import { parseShared, readStoredSecrets, type Secrets, SHARED_NAME, storeSecrets } from '../../../config/secrets.ts'
import { StoreError } from '../store-error.ts'

/** Secrets that the server made itself: in the data folder of SQLite, among the records in PostgreSQL. */

async function sharedSecrets(postgres: Kysely<unknown>): Promise<Secrets | null> {
  const { rows } = await sql<{ value: string }>`
    select value from shared_secrets where name = ${SHARED_NAME}`.execute(postgres)
  const [row] = rows
  return row ? parseShared(row.value) : null
}

/** Rejects with StoreError if the data folder has secrets that the move would replace. */
export async function expectNoOtherSecrets({ dataDir }: Config, postgres: Kysely<unknown>): Promise<void> {
  const [shared, stored] = [await sharedSecrets(postgres), await readStoredSecrets(dataDir)]
  if (shared && stored && !isDeepStrictEqual(shared, stored))
    throw new StoreError(`DATA_DIR ${dataDir} has a secrets.json of other records: move it away`)
}

export async function secretsToSqlite({ dataDir }: Config, postgres: Kysely<unknown>): Promise<void> {
  const shared = await sharedSecrets(postgres)
  if (shared) await storeSecrets(dataDir, shared)
}

/** Stores the secrets that are not configured, and names those that are configured otherwise. */
export async function secretsToPostgres(
  { dataDir, jwtSecret, aliasSecret, evidenceKeys }: Config,
  postgres: Kysely<unknown>,
  log: (line: string) => void,
): Promise<void> {
  const stored = await readStoredSecrets(dataDir)
  if (!stored) return
  const sameKeys = (keys: Secrets['evidence']) =>
    stored.evidence.every((key) => keys.some((one) => isDeepStrictEqual(one, key)))
  const isOther: Record<string, boolean> = {
    JWT_SECRET: jwtSecret !== null && jwtSecret !== stored.jwt,
    ALIAS_SECRET: aliasSecret !== null && aliasSecret !== stored.alias,
    EVIDENCE_KEYS: evidenceKeys !== null && !sameKeys(evidenceKeys),
  }
  for (const [name, other] of Object.entries(isOther))
    if (other) log(`${name} is not that of secrets.json in DATA_DIR: see docs/operations.md, Keys`)
  if (jwtSecret && aliasSecret && evidenceKeys) return
  await sql`insert into shared_secrets (name, value) values (${SHARED_NAME}, ${JSON.stringify(stored)})
    on conflict (name) do update set value = excluded.value`.execute(postgres)
}
