import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { behindProxy, type Fleet, startFleet } from '../../support/fleet/many-servers.ts'
import { type HttpLoad, startHttpLoad } from '../../support/servers/http-load.ts'
import { newDatabase, type Postgres, startPostgres } from '../../support/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import { type SignedInVisitor, signIn } from '../../support/servers/server.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Two servers under load whose Redis or PostgreSQL fails. */

let postgres: Postgres
let redis: RedisServer
let site: Fleet
let people: SignedInVisitor[]
let load: HttpLoad

beforeAll(async () => {
  postgres = await startPostgres()
  redis = await startRedis()
  const env = { ...behindProxy, DATABASE_TIMEOUT_MS: '3000' }
  site = await startFleet(2, { database: await newDatabase(postgres.port), redis: redis.url, env })
  const newcomer = (name: string) => signIn(site, { email: `${name}@example.org`, address: '192.0.2.1' })
  people = [await newcomer('ada'), await newcomer('bob')]
})
afterAll(async () => {
  await site.stop()
  await redis.stop()
  await postgres.stop()
})
beforeEach(async () => {
  load = startHttpLoad(site, people)
  await keepsServing()
})

const servesMore = (than: number) => waitFor(() => expect(load.served()).toBeGreaterThan(than))

/** Resolves after 40 more responses. */
const keepsServing = () => servesMore(load.served() + 40)

const statuses = async (path: string) =>
  Promise.all(site.urls().map(async (url) => (await fetch(`${url}${path}`)).status))

const allAnswer = (path: string, status: number) =>
  waitFor(async () => expect(await statuses(path)).toEqual([status, status]))

/** Remaining requests of a new address, after one request at the first server and one at the second. */
let addresses = 0
async function leftOfALimit(): Promise<number[]> {
  addresses += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` }
  const left: number[] = []
  for (const url of site.urls()) {
    const answer = await fetch(`${url}/api/server/time/get`, { headers })
    left.push(Number(answer.headers.get('x-ratelimit-remaining')))
  }
  return left
}
const countTogether = () => waitFor(async () => expect(await leftOfALimit()).toEqual([299, 298]))

test.each([
  ['is killed', () => redis.kill(), () => redis.start()],
  ['hangs', async () => redis.freeze(), async () => redis.wake()],
])(
  'Redis %s: every request is served, each server keeps limits of its own, and shared limits return afterwards',
  async (_what, goAway, comeBack) => {
    await countTogether()
    await goAway()
    await waitFor(async () => expect(await leftOfALimit()).toEqual([299, 299]))
    await keepsServing()
    expect(await statuses('/readyz')).toEqual([200, 200])
    expect(await statuses('/healthz')).toEqual([200, 200])
    await comeBack()
    await countTogether()
    await keepsServing()
    expect(await load.end()).toEqual([])
    expect(load.refused()).toBe(0)
  },
)

test('PostgreSQL is down for a while: requests that need it are refused with Retry-After, and served again afterwards', async () => {
  await postgres.halt()
  await allAnswer('/readyz', 503)
  const { served, refused } = load
  const [servedBefore, refusedBefore] = [served(), refused()]
  await waitFor(() => expect(refused()).toBeGreaterThan(refusedBefore + 40))
  // The time endpoint needs no database.
  await servesMore(servedBefore)
  expect(await statuses('/healthz')).toEqual([200, 200])
  await postgres.resume()
  await allAnswer('/readyz', 200)
  await keepsServing()
  expect(await load.end()).toEqual([])
})
