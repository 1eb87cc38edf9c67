import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FleetWithUsers, startFleetWithUsers } from '../../support/fleet/many-servers.ts'
import { ChatClient } from '../../support/hub/chat-client.ts'
import { expectNothingLost } from '../../support/hub/chat-clients.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts'
import { migratedDatabase } from '../../support/stores/migrated.ts'
import { postgresPort } from '../../support/stores/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Two servers whose network to Redis or PostgreSQL fails. */

const DELAY_MS = 300
let redis: RedisServer
let toRedis: TcpProxy
let toPostgres: TcpProxy
let all: FleetWithUsers
let records: Client
/** Two matches that last from the first to the last test: `near` at one server, `far` with one user at each server. */
let near: ChatClient[]
let far: ChatClient[]
let talks: Promise<void>[]

beforeAll(async () => {
  redis = await startRedis()
  toRedis = await startTcpProxy(redis.port)
  toPostgres = await startTcpProxy(postgresPort())
  const database = await migratedDatabase(postgresPort())
  const proxied = new URL(database)
  proxied.port = String(toPostgres.port)
  const env = { DATABASE_URL: proxied.href, DATABASE_TIMEOUT_MS: '3000', LOG_LEVEL: 'silent' }
  all = await startFleetWithUsers(2, { database, redis: `redis://127.0.0.1:${toRedis.port}`, env })
  records = new Client(database)
  await records.connect()
  const [one, other] = all.servers.map(({ url }) => url)
  near = await pair(one, one)
  far = await pair(one, other)
  talks = [...near, ...far].map((talker) => talker.keepChatting())
})
afterAll(async () => {
  await Promise.all([...near, ...far].map((talker) => talker.stop()))
  await Promise.all(talks)
  await records.end()
  await all.stop()
  for (const proxy of [toRedis, toPostgres]) await proxy.close()
  await redis.stop()
})

let people = 0
async function newcomer(url = all.origin): Promise<ChatClient> {
  people += 1
  return new ChatClient(url, await all.createUser(`n${people}`))
}

/** Two users in a match, each connected to the server with this URL. */
async function pair(...urls: (string | undefined)[]): Promise<ChatClient[]> {
  const two = await Promise.all(urls.map(newcomer))
  for (const talker of two) await talker.start()
  await Promise.all(two.map((talker) => talker.until(() => talker.session !== null)))
  return two
}

/** Resolves when `times` more chat messages of each client have been acknowledged. */
async function exchangeChat(talkers: ChatClient[], times: number): Promise<void> {
  const before = talkers.map(({ acknowledged }) => acknowledged.length)
  const isAcknowledged = (talker: ChatClient, index: number) =>
    talker.acknowledged.length >= (before[index] ?? 0) + times
  await Promise.all(talkers.map((talker, index) => talker.until(() => isAcknowledged(talker, index))))
}

const blackHole = (proxy: TcpProxy) => {
  const release = proxy.swallow()
  proxy.freeze()
  return release
}
const slow = (proxy: TcpProxy) => {
  proxy.delay(DELAY_MS)
  return () => proxy.delay(0)
}
/** Resets every connection, also new ones, until the returned function is called. */
const resets = (proxy: TcpProxy) => {
  const timer = setInterval(() => proxy.cut(), 10)
  return () => clearInterval(timer)
}

async function statusesOfNegotiate(): Promise<number[]> {
  const { hubToken } = await all.createUser(`asks-${++people}`)
  const headers = { authorization: `Bearer ${await hubToken()}` }
  return Promise.all(
    all.servers.map(async ({ url }) => {
      const answer = await fetch(`${url}/chathub/negotiate?negotiateVersion=1`, { method: 'POST', headers })
      await answer.text()
      if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      return answer.status
    }),
  )
}

test.each([
  ['all responses are late', () => [toRedis, toPostgres], slow, 200],
  ['all connections are reset', () => [toRedis, toPostgres], resets, 503],
  ['PostgreSQL is behind a black hole', () => [toPostgres], blackHole, 503],
  ['Redis is behind a black hole', () => [toRedis], blackHole, 503],
])(
  '%s: calls continue, new work is refused or waits, and the servers recover by themselves',
  async (_what, proxies, begin, status) => {
    const [accuser, accused] = await pair(all.servers[0]?.url, all.servers[1]?.url)
    if (!accuser || !accused) throw new Error('no pair')
    const late = await newcomer()
    const leaving = [accuser, accused, late]
    onTestFinished(() => Promise.all(leaving.map((talker) => talker.stop())).then(() => undefined))

    const ends = proxies().map(begin)
    await waitFor(async () => expect(await statusesOfNegotiate()).toEqual([status, status]))
    // The first message may have been sent before the fault.
    await exchangeChat(near, 2)
    const work = [accuser.report(), waitFor(() => late.start())]
    if (status === 200) await Promise.all(work)

    for (const end of ends) end()
    await Promise.all(work)
    await waitFor(async () => expect(await statusesOfNegotiate()).toEqual([200, 200]))
    // The report ended this match and blocks a second one, so both users queue again and one is matched with `late`.
    await late.until(() => late.session !== null)
    expect(await late.sendChat()).not.toBeNull()
    await exchangeChat([...near, ...far], 1)
    expect([...near, ...far].filter(({ matches }) => matches.length !== 1)).toEqual([])
    expectNothingLost([...near, ...far])

    const ids = [accuser.user.accountId, accused.user.accountId]
    const { rows } = await records.query('select type from reports where reporter = $1 and reported = $2', ids)
    expect(rows).toEqual([{ type: 'BlockAndReport' }])
    expect(await all.store.relations.blockedWith(ids[0] ?? '')).toEqual([ids[1]])
  },
)
