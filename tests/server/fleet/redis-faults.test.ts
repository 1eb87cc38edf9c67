import { createClient } from '@redis/client'
import { expect, onTestFinished, test } from 'vitest'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { negotiate, RawClient } from '../../support/hub/hub-client.ts'
import { startRedis } from '../../support/servers/redis.ts'

async function fleet(options: string[] = []) {
  const redis = await startRedis(options)
  onTestFinished(redis.stop)
  const hubs = await startHubs(2, redis)
  const connect = (url: string, name: string) => RawClient.connect(url, name, `visit=${name}`)

  async function pair(urls: [string, string], names: [string, string]) {
    const [one, other] = [await connect(urls[0], names[0]), await connect(urls[1], names[1])]
    expect(await one.join()).toBeNull()
    expect(await other.join()).toBeNull()
    const { session } = await one.matched()
    expect((await other.matched()).session).toBe(session)
    let said = 0
    const say = (from = one, to = other) => {
      said += 1
      return from.invoke('SendChatMessageToPeer', session, to.id, 'hi', `${from.account}-${said}`)
    }
    return { one, other, session, say }
  }

  /** Joins the queue, again until the hub accepts it. */
  async function joinUntilAccepted(client: RawClient): Promise<void> {
    await expect.poll(() => client.join(), { interval: 100 }).toBeNull()
  }

  let asked = 0

  /** Resolves when negotiate returns `status` on all servers: 503 while Redis is away, 200 when it is back. */
  async function allNegotiate(status: number): Promise<void> {
    const statusOf = async (url: string) => {
      asked += 1
      return (await negotiate(url, `visitor${asked}`)).response.status
    }
    for (const { url } of hubs.hubs) await expect.poll(() => statusOf(url), { interval: 100 }).toBe(status)
  }
  return { ...hubs, redis, connect, pair, joinUntilAccepted, allNegotiate }
}

test('Redis is killed and comes back empty: calls go on, waiting users keep waiting, new users wait for it', async () => {
  const { first, second, redis, connect, pair, joinUntilAccepted, allNegotiate, logged } = await fleet()
  const near = await pair([first.url, first.url], ['ann', 'bob'])
  const far = await pair([first.url, second.url], ['cat', 'dan'])
  for (const { one, session } of [near, far]) await one.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  const lonely = await connect(second.url, 'eve')
  expect(await lonely.join()).toBeNull()

  await redis.kill()
  await allNegotiate(503)
  expect(await near.say()).toBeNull()
  expect(await near.say(near.other, near.one)).toBeNull()
  const across = [far.say(), far.say(far.other, far.one)]
  const { response } = await negotiate(first.url, 'fay')
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await near.one.invoke('OnMatchedSessionTerminationRequested', near.session, near.one.id)).toBeNull()
  expect(await near.other.event('SessionTerminated')).toEqual([near.session])
  expect(await near.one.join()).toMatch(/^hub-unavailable: /)

  await redis.start()
  expect(await Promise.all(across)).toEqual([null, null])
  for (const client of [far.one, far.other]) expect(client.events('OnChatMessage')).toHaveLength(1)
  await joinUntilAccepted(near.one)
  const { session } = await near.one.matched(2)
  expect((await lonely.matched()).session).toBe(session)
  expect(await far.say()).toBeNull()
  expect(await far.one.invoke('OnMatchedSessionTerminationRequested', far.session, far.one.id)).toBeNull()
  expect(await far.other.event('SessionTerminated')).toEqual([far.session])
  // A step that was under way when Redis died fails with its connection.
  const isExpected = /could not|was not|does not answer|ECONNRESET.*a step of the queue failed/
  expect(logged.filter((line) => !isExpected.test(line))).toEqual([])
})

test('Redis does not reply for a while: no server is declared dead, and everything goes on', async () => {
  const { first, second, redis, connect, pair, joinUntilAccepted, allNegotiate } = await fleet()
  const near = await pair([first.url, first.url], ['ann', 'bob'])
  const far = await pair([first.url, second.url], ['cat', 'dan'])
  for (const { one, session } of [near, far]) await one.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  const lonely = await connect(first.url, 'eve')

  redis.freeze()
  await allNegotiate(503)
  expect(await near.say()).toBeNull()
  expect(await lonely.join()).toMatch(/^hub-unavailable: /)

  redis.wake()
  await joinUntilAccepted(lonely)
  expect(await far.say()).toBeNull()
  expect(await far.say(far.other, far.one)).toBeNull()
  await allNegotiate(200)
  const late = await connect(second.url, 'fay')
  await joinUntilAccepted(late)
  expect((await late.matched()).session).toBe((await lonely.matched()).session)
})

test('Redis has lost its last writes, as in a failover: a user who lost the queue entry has it again', async () => {
  const { first, second, redis, connect, pair, joinUntilAccepted } = await fleet(['--enable-debug-command', 'yes'])
  const far = await pair([first.url, second.url], ['cat', 'dan'])
  const lonely = await connect(second.url, 'eve')
  expect(await lonely.join()).toBeNull()

  const data = await createClient({ url: redis.url }).connect()
  onTestFinished(() => data.destroy())
  for (const key of await data.keys('*')) {
    if (key.endsWith(':eve') || key.endsWith(`:${far.session}`)) await data.del(key)
    else if ((await data.type(key)) === 'zset') await data.zRem(key, 'eve')
  }
  await data.sendCommand(['DEBUG', 'CHANGE-REPL-ID'])

  const late = await connect(first.url, 'fay')
  await joinUntilAccepted(late)
  expect((await lonely.matched()).session).toBe((await late.matched()).session)
  expect(await far.say()).toBeNull()
  expect(await far.say(far.other, far.one)).toBeNull()
  await expect.poll(() => data.keys(`*:session:${far.session}`)).toHaveLength(1)
})
