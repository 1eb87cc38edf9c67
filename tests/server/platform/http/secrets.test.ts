import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#protocol/rest.ts'
import { secretVariables } from '../../../../server/config/config.ts'
import { type RedisServer, startRedis } from '../../../support/servers/redis.ts'
import { signIn, startServer } from '../../../support/servers/server.ts'
import { migratedDatabase } from '../../../support/stores/migrated.ts'
import { postgresPort } from '../../../support/stores/stores.ts'

const secrets = Object.fromEntries(
  secretVariables.map((name) => [name, `value-of-${name.toLowerCase()}-that-nobody-may-know`]),
)

/** Some are written in a form of their own, with the secret as a part. */
let environment: Record<string, string>
let dist: string
let redis: RedisServer

/** A build by somebody in whose environment the secrets are. */
beforeAll(async () => {
  redis = await startRedis()
  const database = new URL(await migratedDatabase(postgresPort()))
  database.password = secrets.DATABASE_URL ?? ''
  environment = {
    ...secrets,
    EVIDENCE_KEYS: `first:${secrets.EVIDENCE_KEYS}`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secrets.OTEL_EXPORTER_OTLP_HEADERS}`,
    CONTACT_EMAIL: 'help@example.org',
    SMTP_URL: `smtp://postman:${secrets.SMTP_URL}@127.0.0.1:1`,
    DATABASE_URL: database.href,
    REDIS_URL: redis.url.replace('//', `//default:${secrets.REDIS_URL}@`),
    REGION: 'eu',
    // Of the own region, which is REDIS_URL.
    REGION_REDIS_URLS: `eu=redis://default:${secrets.REGION_REDIS_URLS}@a.example.org`,
  }
  dist = mkdtempSync(join(tmpdir(), 'secrets-test-'))
  const build = { outDir: dist, emptyOutDir: true, copyPublicDir: false }
  const code = `import { build } from 'vite'; await build({ logLevel: 'error', build: ${JSON.stringify(build)} })`
  const env = { ...process.env, ...environment, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env })
  mkdirSync(join(dist, '.pages', 'en'), { recursive: true })
  copyFileSync(join(dist, 'index.html'), join(dist, '.pages', 'en', 'shell.html'))
})
afterAll(async () => {
  rmSync(dist, { recursive: true, force: true })
  await redis.stop()
})

function expectNoSecret(text: string, where: string): void {
  for (const [name, value] of Object.entries(secrets)) {
    for (const form of [value, Buffer.from(value).toString('base64').slice(0, -4), name])
      expect(text.includes(form), `${form} in ${where}`).toBe(false)
  }
}

test('nothing that is built knows a secret, or asks for one', () => {
  expect(secretVariables).toEqual(
    expect.arrayContaining(['JWT_SECRET', 'DATABASE_URL', 'REDIS_URL', 'FACEBOOK_APP_SECRET', 'IP_LOOKUP_TOKEN']),
  )
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^index-.*\.js$/))
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'latin1')
    expectNoSecret(text, name)
    if (name.endsWith('.js')) expect(text, name).not.toContain('process.env')
  }
})

test('no answer of the server carries a secret', async () => {
  // With a provider there would be nobody to sign in as.
  const { FACEBOOK_APP_SECRET: _, ...env } = environment
  const server = await startServer({ ...env, TURN_URL: 'turn:127.0.0.1' }, { dist })
  const ada = await signIn(server, { email: 'ada@example.org' })
  const paths = (Object.keys(endpoints) as EndpointName[])
    .map((name) => endpoints[name])
    .filter(({ method }) => method === 'GET')
  for (const path of ['/', '/login', '/metrics', '/readyz', ...paths.map(({ path }) => `/api/${path}`)]) {
    const response = await ada.fetch(path)
    expectNoSecret(`${JSON.stringify([...response.headers])} ${await response.text()}`, path)
  }
  const turn = await ada.request('readTurn', undefined)
  expectNoSecret(JSON.stringify(turn), 'turn')
  await server.stop()

  const facebook = await startServer(
    { ...environment, FACEBOOK_APP_ID: 'our-app', TURN_URL: 'turn:127.0.0.1' },
    { dist },
  )
  const page = await (await fetch(`${facebook.origin}/login`)).text()
  expect(page).toContain('our-app')
  expectNoSecret(page, 'the page')
  await facebook.stop()
})
