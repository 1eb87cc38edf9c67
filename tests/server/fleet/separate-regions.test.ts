import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WAIT_MS } from '../../../scripts/test-limits.ts'
import { startRegions } from '../../support/fleet/separate-regions.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { pollUntil } from '../../support/poll-until.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'

/** Longer than a test. */
const NEVER_MS = 600_000

let eu: RedisServer
let us: RedisServer
beforeAll(async () => {
  ;[eu, us] = await Promise.all([startRedis(), startRedis()])
})
afterAll(() => Promise.all([eu.stop(), us.stop()]))

const start = (names: string[], spillAfterMs = NEVER_MS) =>
  startRegions(names, { eu: eu.url, us: us.url }, { spillAfterMs })

async function queued(server: { url: string } | undefined, name: string, visit = name): Promise<RawClient> {
  const client = await RawClient.connect(server?.url ?? '', name, `visit=${visit}`)
  expect(await client.join()).toBeNull()
  return client
}

async function met(one: RawClient, other: RawClient): Promise<string> {
  const { session } = await one.matched()
  expect((await other.matched()).session).toBe(session)
  return session
}

test('users meet within their region, though a user of another one has waited longer', async () => {
  const [first, second] = (await start(['eu', 'us'])).hubs
  for (const [index, server] of [first, second].entries())
    await met(await queued(server, `one${index}`), await queued(server, `two${index}`))
  const [ann, bob] = [await queued(first, 'ann'), await queued(second, 'bob')]
  await met(bob, await queued(second, 'cat'))
  await met(ann, await queued(first, 'dan'))
})

test('two users who are alone in their regions meet, go on after a reconnect in another region, and then search in the own one', async () => {
  const { hubs, disconnected } = await start(['eu', 'us'])
  const [first, second] = hubs
  // The only user of a region is of a thin one, and searches in the first region at once.
  const [ann, bob] = [await queued(first, 'ann'), await queued(second, 'bob')]
  const session = await met(ann, bob)
  const chat = (from: RawClient, to: RawClient) =>
    from.invoke('SendChatMessageToPeer', session, to.id, 'aGVsbG8=', 'm1')
  expect(await bob.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
  expect(await chat(bob, ann)).toBeNull()
  await ann.event('OnChatMessage')
  await bob.cut()
  await disconnected(bob.id)
  const back = await RawClient.connect(first?.url ?? '', 'bob', 'visit=bob')
  expect(await chat(ann, back)).toBeNull()
  await back.event('OnChatMessage')
  await back.cut()
  await disconnected(back.id)
  const home = await RawClient.connect(second?.url ?? '', 'bob', 'visit=bob')
  expect(await chat(ann, home)).toBeNull()

  expect(await ann.invoke('OnMatchedSessionTerminationRequested', session, ann.id)).toBeNull()
  await home.event('SessionTerminated')
  const [cat, dan] = [await queued(second, 'cat'), await queued(first, 'dan')]
  for (const one of [ann, home]) expect(await one.join()).toBeNull()
  await met(home, cat)
  expect((await ann.matched(2)).session).toBe((await dan.matched()).session)
})

test('a user with a second visit in another region keeps the newer one alone', async () => {
  const [first, second] = (await start(['eu', 'us'])).hubs
  const one = await RawClient.connect(second?.url ?? '', 'bob', 'visit=one')
  const two = await RawClient.connect(first?.url ?? '', 'bob', 'visit=two')
  expect((await one.close()).error).toBe('replaced')
  expect(await two.join()).toBeNull()
  const three = await RawClient.connect(second?.url ?? '', 'bob', 'visit=three')
  expect((await two.close()).error).toBe('replaced')
  expect(await three.join()).toBeNull()
})

test('two visits of a user that begin at the same time in two regions: one of them is left', async () => {
  const [first, second] = (await start(['eu', 'us'])).hubs
  for (let round = 0; round < 8; round += 1) {
    const both = await Promise.all(
      [first, second].map((server, index) =>
        RawClient.connect(server?.url ?? '', `ann${round}`, `visit=${index}`).catch(() => null),
      ),
    )
    const open = () => both.filter((one) => one?.socket.readyState === WebSocket.OPEN).length
    await pollUntil(
      () => open() === 1,
      WAIT_MS,
      () => `${open()} of two visits are open`,
    )
  }
})

test('a user who is excluded or logs out at a server of one region is disconnected in the others', async () => {
  const [first, second] = (await start(['eu', 'us'])).hubs
  const [ann, bob] = [await queued(first, 'ann'), await RawClient.connect(second?.url ?? '', 'bob', 'visit=bob')]
  second?.hub.disconnect('ann')
  expect((await ann.close()).error).toBe('blocked')
  first?.hub.logOut({ accountId: 'bob', sessionId: 'session-bob' })
  expect((await bob.close()).error).toBe('login-required')
})

test('a user who searches in a region whose Redis dies is asked to reconnect, and meets somebody of the own region', async () => {
  const dying = await startRedis()
  onTestFinished(dying.stop)
  const { hubs } = await startRegions(
    ['eu', 'us'],
    { eu: dying.url, us: us.url },
    { spillAfterMs: NEVER_MS, giveUpAfterMs: 0 },
  )
  const [first, second] = hubs
  const bob = await queued(second, 'bob')
  const waiting = () => first?.hub.counts().queue.get('us')?.waiting ?? 0
  await pollUntil(
    () => waiting() === 1,
    WAIT_MS,
    () => 'bob does not search in the other region',
  )
  await dying.kill()
  expect(await bob.close()).toMatchObject({ allowReconnect: true })
  const [back, cat] = [await queued(second, 'bob'), await queued(second, 'cat')]
  await met(back, cat)
})
