import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startFakeService } from '../../support/fakes/fake-service.ts'
import { newVisitor, signIn, startServer } from '../../support/servers/server.ts'
import { migratedFolder } from '../../support/stores/migrated.ts'

type Reply = { status?: number; body: unknown }

const nothing = { ip: '127.0.0.1', hostname: 'NA', city: 'NA', country: 'NA', loc: 'NA' }

async function withLookup(env: Record<string, string> = {}) {
  const seen: { path: string; authorization: unknown }[] = []
  let reply: Reply = { body: {} }
  const lookup = await startFakeService((path, _query, { authorization }) => {
    seen.push({ path, authorization })
    return reply
  })
  const server = await startServer({ IP_LOOKUP_URL: `${lookup.url}/{ip}`, ...env })
  onTestFinished(async () => {
    await server.stop()
    await lookup.close()
  })
  const ask = async (headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${server.port}/api/ip/get`, { headers })).json()
  return {
    seen,
    ask,
    say(next: Reply) {
      reply = next
    },
  }
}

test('a visitor without a login learns time and place, and nobody keeps the answer', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const visitor = newVisitor(server)
  expect(await visitor.request('readIp', undefined)).toMatchObject({
    hostname: 'NA',
    city: 'NA',
    country: 'NA',
    loc: 'NA',
  })
  for (const name of ['readIp', 'readServerTime'] as const)
    expect((await visitor.send(name, undefined)).headers.get('cache-control')).toBe('no-store')
})

test('without a token the lookup service gets none', async () => {
  const { ask, seen } = await withLookup()
  await ask()
  expect(seen).toEqual([{ path: '/127.0.0.1', authorization: undefined }])
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['empty', { hostname: '', city: ' ', country: 'CH' }, { country: 'CH' }],
  ['of a wrong type', { hostname: 7, city: null, country: 'CH' }, { country: 'CH' }],
  ['too long', { city: 'x'.repeat(101), loc: '47.4,8.5' }, { loc: '47.4,8.5' }],
  ['of somebody else', { ip: '192.0.2.9', city: 'Bern' }, { city: 'Bern' }],
])('what the service gives that is %s is NA, and spoils nothing else', async (_, body, known) => {
  const { ask, say } = await withLookup()
  say({ body })
  expect(await ask()).toEqual({ ...nothing, ...known })
})

test('a service that cannot be reached is NA', async () => {
  const { ask } = await withLookup({ IP_LOOKUP_URL: 'http://127.0.0.1:1/{ip}' })
  expect(await ask()).toEqual(nothing)
})

test('an IPv4 address is looked up as one, however the socket writes it', async () => {
  const { ask, seen } = await withLookup({ TRUST_PROXY: '127.0.0.1' })
  expect(await ask({ 'x-forwarded-for': '::ffff:192.0.2.7' })).toMatchObject({ ip: '192.0.2.7' })
  await ask({ 'x-forwarded-for': '2001:db8::1' })
  expect(seen.map(({ path }) => path)).toEqual(['/192.0.2.7', '/2001%3Adb8%3A%3A1'])
})

test('of IP details the place alone is kept, once a session, the last one, NA where it is missing', async () => {
  const dataDir = await migratedFolder()
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const server = await startServer({}, { dataDir })
  const ada = await signIn(server, { email: 'ada@example.org' })
  const known = { UserSessionId: ada.sessionId, IpAddress: '192.0.2.7', HostName: 'a'.repeat(253), City: 'Bern' }
  await ada.request('addIp', { ...known, City: 'Basel', Country: 'CH', Coordinates: '47,8' })
  expect(await ada.request('addIp', { ...known, Country: '' })).toEqual({ message: 'Valid' })
  await server.stop()

  const records = new DatabaseSync(join(dataDir, 'waggle.sqlite'), { readOnly: true })
  const rows = records.prepare('select * from ip_details').all()
  records.close()
  expect(rows).toEqual([
    {
      session_id: ada.sessionId,
      city: 'Bern',
      country: 'NA',
    },
  ])
})

test('looking up is limited like any other call, and says when to come back', async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const visitor = newVisitor(server)
  const answers = await Promise.all(Array.from({ length: 301 }, () => visitor.send('readIp', undefined)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(1)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
})
