import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/free-port.ts'
import { redisCa } from '../../../../server/config/certificates.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { redisClient } from '../../../../server/platform/redis/redis-client.ts'
import { newDatabase, type Postgres, startPostgres } from '../../../support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../../support/servers/redis.ts'
import { openRecords } from '../../../support/stores/store.ts'

/** Certificates as an operator makes them. One server is called localhost, the other shows the certificate of another name. */

let folder: string
let tlsPort: number
const files: Record<'ca' | 'stranger' | 'nothing', string> = { ca: '', stranger: '', nothing: '' }
const log = pino({ level: 'silent' })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-test-'))
  const make = (...words: string[]) => execFileSync('sh', ['deploy/container/make-certificates.sh', ...words])
  make(join(folder, 'own'), 'localhost', 'elsewhere.example')
  make(join(folder, 'other'), 'localhost')
  files.ca = join(folder, 'own', 'ca.pem')
  files.stranger = join(folder, 'other', 'ca.pem')
  files.nothing = join(folder, 'nothing.pem')
  writeFileSync(files.nothing, 'no certificate')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pair = (name: string) => ({ cert: join(folder, 'own', `${name}.pem`), key: join(folder, 'own', `${name}.key`) })

describe('PostgreSQL with a certificate of an authority of ours', () => {
  const servers: Postgres[] = []
  beforeAll(async () => {
    for (const name of ['localhost', 'elsewhere.example']) servers.push(await startPostgres({ tls: pair(name) }))
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })

  /** Opens and closes the records; rejects where the server is not trusted. */
  async function visit(index: number, sslrootcert: string): Promise<void> {
    const url = new URL(await newDatabase(servers[index]?.port ?? 0))
    url.hostname = 'localhost'
    url.search = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(sslrootcert)}`
    const store = await openRecords(readConfig({ DATABASE_URL: url.href, DATABASE_TIMEOUT_MS: '60000' }))
    await store.ping().finally(store.close)
  }

  test('is trusted by that authority and its own name alone', async () => {
    await expect(visit(0, files.ca)).resolves.toBeUndefined()
    await expect(visit(0, files.stranger)).rejects.toThrow()
    await expect(visit(1, files.ca)).rejects.toThrow()
  })

  test.each(['nothing', 'absent'])('a file of the authority that is %s is named in one line', async (name) => {
    await expect(visit(0, join(folder, `${name}.pem`))).rejects.toThrow(
      /^sslrootcert of DATABASE_URL must name a file with certificates in PEM, not "[^"\n]*"$/,
    )
  })
})

describe('Redis with a certificate of an authority of ours', () => {
  const servers: { redis: RedisServer; port: number }[] = []
  beforeAll(async () => {
    for (const name of ['localhost', 'elsewhere.example']) {
      tlsPort = await freePort()
      const { cert, key } = pair(name)
      const options = ['--tls-port', `${tlsPort}`, '--tls-cert-file', cert, '--tls-key-file', key]
      const redis = await startRedis([...options, '--tls-auth-clients', 'no'])
      servers.push({ redis, port: tlsPort })
    }
  })
  afterAll(async () => {
    for (const { redis } of servers) await redis.stop()
  })

  /** What Redis answers; rejects with the first fault of the connection. */
  async function visit(index: number, path: string): Promise<unknown> {
    const { redisUrls, ...config } = readConfig({
      REDIS_URL: `rediss://localhost:${servers[index]?.port}`,
      REDIS_CA: path,
    })
    const client = redisClient(redisUrls?.[0] ?? '', log, redisCa(config))
    const failed = new Promise<never>((_resolve, reject) => client.once('error', reject))
    const opened = client.connect().then(() => client.ping())
    opened.catch(() => undefined)
    return Promise.race([opened, failed]).finally(() => client.destroy())
  }

  test('is trusted by that authority and its own name alone', async () => {
    expect(await visit(0, files.ca)).toBe('PONG')
    await expect(visit(0, files.stranger)).rejects.toThrow(/certificate/)
    await expect(visit(1, files.ca)).rejects.toThrow(/altnames/)
  })

  test('a file that holds no certificate is named in one line', async () => {
    await expect(visit(0, files.nothing)).rejects.toThrow(/^REDIS_CA must name a file with certificates in PEM, not/)
  })
})
