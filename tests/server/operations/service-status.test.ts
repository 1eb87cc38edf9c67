import { expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../../server/platform/rules/clock.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { newDatabase, startPostgres } from '../../support/servers/postgres.ts'
import { startRedis } from '../../support/servers/redis.ts'
import { newVisitor, startServer } from '../../support/servers/server.ts'
import { postgresPort } from '../../support/stores/stores.ts'

const works = { state: 'works' }
/** A status is repeated for so long. */
const REPEATED_MS = 5_000
const providerAway = {
  GOOGLE_CLIENT_ID: 'x',
  GOOGLE_TOKENINFO_URL: 'http://127.0.0.1:9/tokeninfo',
  DEV_IDENTITY: 'off',
}

async function serverWith(env: Record<string, string> = {}, options: { clock?: Clock } = {}) {
  const server = await startServer(env, options)
  onTestFinished(server.stop)
  return server
}

async function failSignIns(server: { origin: string }) {
  const visitor = newVisitor(server)
  const { cookieValue } = await visitor.request('readSession', undefined)
  const signIn = (sourceAccessToken: string) =>
    visitor.send('setTokens', {
      userEmailAddress: 'ada@example.org',
      userSessionId: cookieValue.split('%23')[0]?.split('#')[0] ?? '',
      sourceAccessToken,
      platformType: 'Web',
      source: 'Google',
    })
  const statuses = new Set<number>()
  for (let tries = 0; tries < 12; tries += 1) statuses.add((await signIn('token')).status)
  expect([...statuses].every((status) => status >= 500)).toBe(true)
  return visitor
}

test('anybody reads what works, in words alone', async () => {
  const server = await serverWith()
  const response = await fetch(`${server.origin}/api/status/get`)
  expect(await response.json()).toEqual({ signIn: works, matching: works, calls: works, pictures: works })
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('sign-ins that fail at the provider are told', async () => {
  const server = await serverWith(providerAway)
  const visitor = await failSignIns(server)
  expect(await visitor.request('readServiceStatus', undefined)).toMatchObject({
    signIn: { state: 'down' },
    calls: works,
  })
})

test('without Redis nobody is matched', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const server = await serverWith({ REDIS_URL: redis.url })
  await redis.stop()
  const visitor = newVisitor(server)
  const status = await visitor.request('readServiceStatus', undefined)
  expect(status).toMatchObject({
    signIn: works,
    matching: { state: 'down' },
    calls: { state: 'down' },
    pictures: works,
  })
})

test('a database that is away is told to everybody, and so is its return', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const clock = movableClock()
  const server = await serverWith({ DATABASE_URL: await newDatabase(postgres.port) }, { clock })
  const read = () => {
    clock.forward(REPEATED_MS)
    return newVisitor(server).request('readServiceStatus', undefined)
  }
  expect(await read()).toMatchObject({ signIn: works, matching: works })
  await postgres.halt()
  const down = { state: 'down', since: expect.any(Number) }
  await expect.poll(read).toEqual({ signIn: down, matching: down, calls: down, pictures: down })
  await postgres.resume()
  await expect.poll(read).toMatchObject({ signIn: works, matching: works, calls: works, pictures: works })
})

test('one network reads it no more than sixty times a minute', async () => {
  const server = await serverWith()
  const read = async () => (await fetch(`${server.origin}/api/status/get`)).status
  const statuses = await Promise.all(Array.from({ length: 61 }, read))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

test('each of two servers speaks for both, until one has left', async () => {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const shared = { DATABASE_URL: await newDatabase(postgresPort()), REDIS_URL: redis.url }
  const clock = movableClock()
  const other = await startServer(shared, { clock })
  onTestFinished(other.stop)
  const faulty = await startServer({ ...shared, ...providerAway })
  await failSignIns(faulty)
  const read = (server: { origin: string }) => newVisitor(server).request('readServiceStatus', undefined)
  expect(await read(faulty)).toMatchObject({ signIn: { state: 'down' }, calls: works })
  expect(await read(other)).toMatchObject({ signIn: { state: 'down' }, calls: works })
  await faulty.stop()
  clock.forward(REPEATED_MS)
  expect(await read(other)).toMatchObject({ signIn: works, calls: works })
})
