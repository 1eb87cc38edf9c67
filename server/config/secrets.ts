import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { nonEmptyListOf, parse } from '#protocol/parse.ts'
import { hasCode, keepForOwner } from '../platform/database/owner-only.ts'
import type { SharedSecrets } from '../platform/database/platform-records.ts'
import { type Config, ConfigError } from './config.ts'

/** Name of the file in the data folder. */
export const SECRETS_FILE = 'secrets.json'

const secretSchema = v.pipe(v.string(), v.minLength(32))
/** The largest number of keys, including old keys. */
const EVIDENCE_KEYS_MAX = 1_000
const evidenceKeySchema = v.object({ id: v.string(), secret: secretSchema })
export type EvidenceKey = v.InferOutput<typeof evidenceKeySchema>

/** The file of an earlier version has no keys for evidence. */
const secretsSchema = v.object({
  jwt: secretSchema,
  alias: secretSchema,
  evidence: v.optional(nonEmptyListOf(evidenceKeySchema, EVIDENCE_KEYS_MAX)),
})
type StoredSecrets = v.InferOutput<typeof secretsSchema>
const storedSchema = v.pipe(v.string(), v.parseJson(), secretsSchema)

export type Secrets = {
  jwt: string
  alias: string
  /** From the newest key to the oldest. The newest key seals; every key opens what it has sealed. */
  evidence: [EvidenceKey, ...EvidenceKey[]]
}

function newSecret(): string {
  return randomBytes(48).toString('base64url')
}

async function readSecrets(file: string): Promise<StoredSecrets | null> {
  try {
    return parse(storedSchema, await readFile(file, 'utf8'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw new ConfigError(`DATA_DIR must hold no secrets.json or one that this server wrote, not ${file}`)
  }
}

/** Writes the file atomically; only its owner may access it. */
async function writeSecrets(file: string, secrets: Secrets): Promise<void> {
  const beside = `${file}.new`
  await writeFile(beside, JSON.stringify(secrets), { mode: 0o600, flush: true })
  await rename(beside, file)
}

function completed(known: StoredSecrets | null): Secrets {
  return {
    jwt: known?.jwt ?? newSecret(),
    alias: known?.alias ?? newSecret(),
    evidence: known?.evidence ?? [{ id: 'first', secret: newSecret() }],
  }
}

async function secretsInFolder(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, SECRETS_FILE)
  await keepForOwner(file)
  const known = await readSecrets(file)
  const kept = completed(known)
  if (!known?.evidence) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeSecrets(file, kept)
  }
  return kept
}

async function secretsInDatabase(shared: SharedSecrets): Promise<Secrets> {
  const kept = await shared.keep('secrets', JSON.stringify(completed(null)))
  return completed(parse(storedSchema, kept))
}

/** Resolves with the configured secrets. Missing secrets are made once and stored in the data folder or shared database. */
export async function loadSecrets(config: Config, shared: SharedSecrets): Promise<Secrets> {
  const { jwtSecret, aliasSecret, evidenceKeys, dataDir, database } = config
  if (jwtSecret && aliasSecret && evidenceKeys) return { jwt: jwtSecret, alias: aliasSecret, evidence: evidenceKeys }
  const kept = database ? await secretsInDatabase(shared) : await secretsInFolder(dataDir)
  return {
    jwt: jwtSecret ?? kept.jwt,
    alias: aliasSecret ?? kept.alias,
    evidence: evidenceKeys ?? kept.evidence,
  }
}

/** Returns the key that seals the moderators' authenticators. The key changes with the server's secret. */
export function moderatorKey({ jwt }: Secrets): string {
  return `moderators ${jwt}`
}
