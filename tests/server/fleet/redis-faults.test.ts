import { createClient } from 'redis'
import { expect, onTestFinished, test } from 'vitest'
import { hubsForTest } from '../../support/fleet/hub-fleet.ts'
import { negotiate, RawClient } from '../../support/hub/hub-client.ts'
import { startRedis } from '../../support/servers/redis.ts'

async function fleet(options: string[] = []) {
  const redis = await startRedis(options)
  onTestFinished(redis.stop)
  const hubs = await hubsForTest(2, redis)
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

  /** Asks for a match until the hub takes it. */
  async function joinInTheEnd(client: RawClient): Promise<void> {
    await expect.poll(() => client.join(), { timeout: 20_000, interval: 100 }).toBeNull()
  }

  let asked = 0

  /** Resolves when all servers answer negotiate with `status`: 503 once they have noticed that Redis is away, 200 once it is back. */
  async function allNegotiate(status: number): Promise<void> {
    const statusOf = async (url: string) => {
      asked += 1
      return (await negotiate(url, `visitor${asked}`)).response.status
    }
    for (const { url } of hubs.hubs)
      await expect.poll(() => statusOf(url), { timeout: 20_000, interval: 100 }).toBe(status)
  }
  return { ...hubs, redis, connect, pair, joinInTheEnd, allNegotiate }
}

test('Redis gone and back without its memory: who talks talks on, who waits waits on, newcomers wait for it', {
  timeout: 60_000,
}, async () => {
  const { first, second, redis, connect, pair, joinInTheEnd, allNegotiate, logged } = await fleet()
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
  await joinInTheEnd(near.one)
  const { session } = await near.one.matched(2)
  expect((await lonely.matched()).session).toBe(session)
  expect(await far.say()).toBeNull()
  expect(await far.one.invoke('OnMatchedSessionTerminationRequested', far.session, far.one.id)).toBeNull()
  expect(await far.other.event('SessionTerminated')).toEqual([far.session])
  expect(logged.filter((line) => !/could not|does not answer/.test(line))).toEqual([])
})

test('Redis that says nothing for a while: nobody is taken for dead, and all goes on', {
  timeout: 60_000,
}, async () => {
  const { first, second, redis, connect, pair, joinInTheEnd, allNegotiate } = await fleet()
  const near = await pair([first.url, first.url], ['ann', 'bob'])
  const far = await pair([first.url, second.url], ['cat', 'dan'])
  for (const { one, session } of [near, far]) await one.invoke('UpdateWebRtcConnectionSuccessStatus', session)
  const lonely = await connect(first.url, 'eve')

  redis.freeze()
  await allNegotiate(503)
  expect(await near.say()).toBeNull()
  expect(await lonely.join()).toMatch(/^hub-unavailable: /)

  redis.wake()
  await joinInTheEnd(lonely)
  expect(await far.say()).toBeNull()
  expect(await far.say(far.other, far.one)).toBeNull()
  await allNegotiate(200)
  const late = await connect(second.url, 'fay')
  await joinInTheEnd(late)
  expect((await late.matched()).session).toBe((await lonely.matched()).session)
})

test('Redis has lost the last of what it was told, as in a failover: who has lost the place has it again', {
  timeout: 60_000,
}, async () => {
  const { first, second, redis, connect, pair, joinInTheEnd } = await fleet(['--enable-debug-command', 'yes'])
  const far = await pair([first.url, second.url], ['cat', 'dan'])
  const lonely = await connect(second.url, 'eve')
  expect(await lonely.join()).toBeNull()

  const memory = await createClient({ url: redis.url }).connect()
  onTestFinished(() => memory.destroy())
  for (const key of await memory.keys('*')) {
    if (key.endsWith(':eve') || key.endsWith(`:${far.session}`)) await memory.del(key)
    else if ((await memory.type(key)) === 'zset') await memory.zRem(key, 'eve')
  }
  await memory.sendCommand(['DEBUG', 'CHANGE-REPL-ID'])

  const late = await connect(first.url, 'fay')
  await joinInTheEnd(late)
  expect((await lonely.matched()).session).toBe((await late.matched()).session)
  expect(await far.say()).toBeNull()
  expect(await far.say(far.other, far.one)).toBeNull()
  await expect.poll(() => memory.keys(`*:session:${far.session}`)).toHaveLength(1)
})
