import { createClient } from '@redis/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ACCESS_TOKEN_MS, REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { hubPerson, meet } from '../../support/hub/hub-person.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { colouredJpeg, scriptedClassifier } from '../../support/pictures/coloured-frames.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import {
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
  type Visitor,
} from '../../support/servers/server.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { consoleVisitor } from '../../support/stores/moderators.ts'
import { connect } from '../../support/stores/promised-writes.ts'
import { postgresPort } from '../../support/stores/stores.ts'

/** One browser whose requests go to two servers in turn. */

/** Redis that replies late counts as away, and a busy machine is no fault: 250 ms become 2 s. */
const clock = movableClock(8)
let redis: RedisServer
let one: TestServer
let other: TestServer

beforeAll(async () => {
  redis = await startRedis()
  const env = {
    DATABASE_URL: await migratedDatabase(postgresPort()),
    REDIS_URL: redis.url,
    TRUST_PROXY: '127.0.0.1',
    FRAME_CLASSIFIER: 'on',
    FRAME_FLAG_HITS: '2',
    FRAME_FLAG_AMONG: '2',
    FLAGS_TO_SUSPEND: '1',
  }
  const options = { clock, classifierProgram: scriptedClassifier }
  one = await startServer(env, options)
  other = await startServer(env, options)
})
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await redis.stop()
})

/** The browser `owner`, or a thief with a copy of its cookies, at another server. */
function at(server: TestServer, owner: Visitor, address = '192.0.2.1'): Visitor {
  const visitor = newVisitor(server, { 'x-forwarded-for': address })
  for (const [name, value] of owner.cookies) visitor.cookies.set(name, value)
  return visitor
}

const statusOf = async (visitor: Visitor, name: 'validateAccessToken' | 'refreshAccessToken') =>
  (await visitor.send(name, undefined)).status

let people = 0
function newcomer(): Promise<SignedInVisitor> {
  people += 1
  return signIn(one, { email: `person-${people}@example.org` })
}

test('a login at one server is valid at the other, and can be refreshed there', async () => {
  const ada = await newcomer()
  const there = at(other, ada)
  expect(await statusOf(there, 'validateAccessToken')).toBe(200)
  clock.forward(ACCESS_TOKEN_MS)
  expect(await statusOf(there, 'validateAccessToken')).toBe(401)
  expect(await statusOf(there, 'refreshAccessToken')).toBe(200)
  expect(there.cookies.get('refresh')).not.toBe(ada.cookies.get('refresh'))
  expect(await statusOf(at(one, there), 'validateAccessToken')).toBe(200)
  expect(await statusOf(at(one, there), 'refreshAccessToken')).toBe(200)
})

test('two tabs that refresh the login at the same time at two servers get the same token', async () => {
  const ada = await newcomer()
  const tabs = [at(one, ada), at(other, ada)]
  expect(await Promise.all(tabs.map((tab) => statusOf(tab, 'refreshAccessToken')))).toEqual([200, 200])
  expect(tabs[0]?.cookies.get('refresh')).toBe(tabs[1]?.cookies.get('refresh'))
})

test('a refresh token that is reused at another server ends the login at both', async () => {
  const ada = await newcomer()
  const thief = at(other, ada)
  expect(await statusOf(ada, 'refreshAccessToken')).toBe(200)
  clock.forward(REFRESH_GRACE_MS + 1)
  expect(await statusOf(thief, 'refreshAccessToken')).toBe(401)
  for (const server of [one, other]) expect(await statusOf(at(server, ada), 'refreshAccessToken')).toBe(401)
})

test('a logout at one server revokes access and refresh tokens at the other', async () => {
  const ada = await newcomer()
  const elsewhere = at(other, ada)
  expect(await statusOf(elsewhere, 'validateAccessToken')).toBe(200)
  await ada.request('logout', undefined)
  expect(await statusOf(elsewhere, 'validateAccessToken')).toBe(401)
  expect(await statusOf(elsewhere, 'refreshAccessToken')).toBe(401)
})

test('a logout at one server closes the hub connection at the other', async () => {
  const [ada, bob] = [await newcomer(), await newcomer()]
  const there = (person: SignedInVisitor) => connect({ origin: other.origin, address: '192.0.2.1' }, person)
  const [hers, his] = [await there(ada), await there(bob)]
  await ada.request('logout', undefined)
  await hers.closed
  expect(hers.messages.at(-1)).toMatchObject({ type: 7, error: 'login-required' })
  // The other user is still connected.
  expect(await his.invokeAny('NoSuchMethod')).toMatch(/^not-found: /)
  await his.leave()
})

/** Sends requests to the two servers in turn. Resolves with the statuses in order. */
async function inTurn(times: number, ask: (server: TestServer) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) statuses.push((await ask(n % 2 === 0 ? one : other)).status)
  return statuses
}

const asksForState = (address: string) => (server: TestServer) =>
  newVisitor(server, { 'x-forwarded-for': address }).send('readDeletionStatus', { code: 'x'.repeat(22) })

test('the rate limit of an address holds over both servers, and another address has its own', async () => {
  const statuses = await inTurn(31, asksForState('192.0.2.7'))
  expect(statuses.slice(0, 30)).not.toContain(429)
  expect(statuses[30]).toBe(429)
  const refused = await asksForState('192.0.2.7')(one)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await asksForState('192.0.2.8')(one)).status).not.toBe(429)
})

test('the rate limit of a user holds over both servers', async () => {
  const ada = await newcomer()
  const statuses = await inTurn(31, (server) => at(server, ada).send('readTurn', undefined))
  expect(statuses).toEqual([...Array(30).fill(200), 429])
})

test('console login attempts of one network for one name are counted over both servers', async () => {
  const ask = (server: TestServer) =>
    consoleVisitor(server, newVisitor(server), '192.0.2.9').sendToConsole('login', {
      name: 'unknown',
      password: 'wrong',
      code: '123456',
    })
  expect(await inTurn(6, ask)).toEqual([401, 401, 401, 401, 401, 429])
})

test('frames of one user are limited over both servers, and judged together', async () => {
  const eve = await newcomer()
  const fields = { EmailAddress: eve.email, UserSessionId: eve.sessionId }
  const file = { blob: new Blob([new Uint8Array(await colouredJpeg('explicit'))]), fileName: 'frame.jpg' }
  const sendTo = async (server: TestServer) => (await at(server, eve).send('addVideoFrame', { ...fields, file })).status
  expect([await sendTo(one), await sendTo(other)]).toEqual([200, 429])
  const client = await createClient({ url: redis.url }).connect()
  onTestFinished(() => client.destroy())
  // Simulates the end of the eight seconds between two frames.
  await client.del(await client.keys('waggle:count:*'))
  expect(await sendTo(other)).toBe(200)
  await expect
    .poll(async () => (await eve.request('readBlockStatus', { userEmailAddress: eve.email })).status)
    .toBe('Appeal')
})

test('the picture of a partner can be read at the server without the match, while the match goes on', async () => {
  const [ada, bob] = [await newcomer(), await newcomer()]
  const file = { blob: new Blob([new Uint8Array(await colouredJpeg('harmless'))]), fileName: 'p.jpg' }
  await ada.request('changeProfile', { NickName: 'Ada', Gender: 'girl', ShowPicture: 'true', file })
  const [here, there] = [hubPerson(one, ada), hubPerson(one, bob)]
  // The tests before moved the clock, and the hub accepts connections again when this server has renewed its membership.
  await expect.poll(() => here.client.start().then(String, String)).toBe('undefined')
  const { session } = await meet(here, there)
  const atOther = () => at(other, bob).send('readMatchPicture', { session })
  expect(await (await atOther()).json()).toEqual({ picture: expect.any(String) })
  const over = there.next('SessionTerminated')
  await here.client.invoke('OnMatchedSessionTerminationRequested', session, here.client.connectionId)
  await over
  await expect.poll(async () => (await atOther()).status).toBe(404)
})

test('without Redis each server keeps limits of its own, and shared limits return with Redis', async () => {
  let addresses = 0
  /** Remaining requests of a new address, after one request at the first server and one at the second. */
  async function left(): Promise<number[]> {
    addresses += 1
    const ask = asksForState(`198.51.100.${addresses}`)
    const answers = [await ask(one), await ask(other)]
    return answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  }
  expect(await left()).toEqual([29, 28])
  onTestFinished(() => redis.wake())
  redis.freeze()
  expect(await left()).toEqual([29, 29])
  const ready = await Promise.all([one, other].map(({ origin }) => fetch(`${origin}/readyz`)))
  expect(ready.map(({ status }) => status)).toEqual([200, 200])
  redis.wake()
  await expect
    .poll(() => {
      clock.forward(1_000)
      return left()
    })
    .toEqual([29, 28])
})
