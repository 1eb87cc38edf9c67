import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { type Config, ConfigError } from './config.ts'

const secretSchema = v.pipe(v.string(), v.minLength(32))
const secretsSchema = v.object({ jwt: secretSchema, alias: secretSchema })
export type Secrets = v.InferOutput<typeof secretsSchema>

async function readSecrets(file: string): Promise<Secrets | null> {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), secretsSchema), await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new ConfigError(`DATA_DIR must hold no secrets.json or one that this server wrote, not ${file}`)
  }
}

/** The configured secrets; those that are absent are made once and kept in the data folder, for its owner alone. */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const { jwtSecret, aliasSecret, dataDir } = config
  if (jwtSecret && aliasSecret) return { jwt: jwtSecret, alias: aliasSecret }
  const file = join(dataDir, 'secrets.json')
  let kept = await readSecrets(file)
  if (!kept) {
    kept = { jwt: randomBytes(48).toString('base64url'), alias: randomBytes(48).toString('base64url') }
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(kept), { mode: 0o600, flag: 'wx' })
  }
  return { jwt: jwtSecret ?? kept.jwt, alias: aliasSecret ?? kept.alias }
}

/** What seals the moderators' authenticators; another secret of the server makes another one. */
export function moderatorKey({ jwt }: Secrets): string {
  return `moderators ${jwt}`
}
