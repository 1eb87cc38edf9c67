import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { REMEMBER_MS } from '../../../server/accounts/remembered-logins.ts'
import { REFRESH_GRACE_MS } from '../../../server/accounts/rules/tokens.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { pollUntil } from '../../support/poll-until.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import {
  identityToken,
  newVisitor,
  type SignedInVisitor,
  signIn,
  startServer,
  type TestServer,
  type Visitor,
} from '../../support/servers/server.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'

/** The clock stands still, so that a remembered login never expires by time: what ends here is ended by a message. */
const clock = movableClock()
let redis: RedisServer
let records: Client
let one: TestServer
let other: TestServer
let people = 0

beforeAll(async () => {
  redis = await startRedis()
  const url = await migratedDatabase(postgresPort())
  records = new Client({ connectionString: url })
  await records.connect()
  const env = { DATABASE_URL: url, REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1,::1' }
  one = await startServer(env, { clock })
  other = await startServer(env, { clock })
})
afterAll(async () => {
  await Promise.all([one.stop(), other.stop(), records.end()])
  await redis.stop()
})

/** The browser `owner`, or a thief with a copy of its cookies, at another server. */
function at(server: TestServer, owner: Visitor): Visitor {
  const visitor = newVisitor(server)
  for (const [name, value] of owner.cookies) visitor.cookies.set(name, value)
  return visitor
}

const statusOf = async (visitor: Visitor) => (await visitor.send('validateAccessToken', undefined)).status

/** Ends a login, or brings it back, in the records alone: no server hears of it. */
const setInRecords = (sessionId: string, isOn: boolean) =>
  records.query(`update user_sessions set account_id = ${isOn ? 'owner_id' : 'null'} where id = $1`, [sessionId])

const allValid = async (visitors: Visitor[]) => (await Promise.all(visitors.map(statusOf))).every((one) => one === 200)

/** Resolves when the servers of all these visitors answer without the records: they do not before they hear of each other. */
async function areRemembered(sessionId: string, ...visitors: Visitor[]): Promise<void> {
  async function areKnown(): Promise<boolean> {
    expect(await allValid(visitors)).toBe(true)
    await setInRecords(sessionId, false)
    const without = await allValid(visitors)
    await setInRecords(sessionId, true)
    return without
  }
  await pollUntil(areKnown, WAIT_MS, () => 'a login is read again for each request')
}

/** Somebody whose login both servers remember. */
async function known(given: { profile?: boolean } = {}): Promise<{ here: SignedInVisitor; there: Visitor }> {
  people += 1
  const here = await signIn(one, { email: `person${people}@example.org`, ...given })
  const there = at(other, here)
  await areRemembered(here.sessionId, here, there)
  return { here, there }
}

const refused = (visitor: Visitor) =>
  pollUntil(
    async () => (await statusOf(visitor)) === 401,
    WAIT_MS,
    () => 'the other server still knows the login',
  )

test('a login that was just checked is not read again, and is read after five seconds at most', async () => {
  const { here, there } = await known()
  await setInRecords(here.sessionId, false)
  clock.forward(1_000)
  expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200])
  clock.forward(REMEMBER_MS - 1_000)
  expect([await statusOf(here), await statusOf(there)]).toEqual([401, 401])
})

test('after a logout on one server the other refuses the next request', async () => {
  const { here, there } = await known()
  await here.request('logout', { UserSessionId: here.sessionId })
  await refused(there)
})

test('a person who is banned on one server may do nothing on the other', async () => {
  const { here, there } = await known({ profile: false })
  const fields = { EmailAddress: here.email, NickName: 'Kid', Gender: 'boy', ConsentAgreed: 'true' } as const
  const token = () => there.send('readHubToken', { userSessionId: here.sessionId })
  expect((await token()).status).toBe(409)
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  expect((await here.send('addProfile', { ...fields, DOB: today })).status).toBe(403)
  expect(await here.request('readBlockStatus', { userEmailAddress: here.email })).toMatchObject({ status: 'Blocked' })
  await pollUntil(
    async () => (await token()).status === 403,
    WAIT_MS,
    () => 'the other server still gives hub tokens',
  )
})

test('a request for deletion on one server ends the login on the other', async () => {
  const { here, there } = await known()
  await here.request('deleteData', undefined)
  expect(await statusOf(here)).toBe(401)
  await refused(there)
})

test('a refresh token that is used twice ends the login on both servers', async () => {
  const { here } = await known()
  const thief = at(other, here)
  await here.request('refreshAccessToken', undefined)
  const fresh = at(other, here)
  clock.forward(REFRESH_GRACE_MS + 1)
  await areRemembered(here.sessionId, here, fresh)
  expect((await thief.send('refreshAccessToken', undefined)).status).toBe(401)
  await refused(here)
  await refused(fresh)
})

test('a copy of the cookies is worth nothing after the owner has signed in again', async () => {
  const { here, there } = await known()
  clock.forward(1_000)
  await areRemembered(here.sessionId, here, there)
  const sourceAccessToken = await identityToken(here, { email: here.email })
  await here.request('signInAgain', { source: 'Google', sourceAccessToken })
  await refused(there)
  expect(await statusOf(here)).toBe(200)
})
