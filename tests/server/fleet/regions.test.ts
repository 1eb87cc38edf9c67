import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'

/** Longer than a test. */
const NEVER_MS = 600_000
const REGIONS = ['eu', 'us']

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

/** Starts two servers of two regions, in each of which two users have just been matched, so that neither region is thin. */
async function twoRegions(spillAfterMs: number) {
  const { first, second, disconnected } = await startHubs(2, redis, { regions: REGIONS, spillAfterMs })
  async function queued(server: { url: string }, name: string, visit = name): Promise<RawClient> {
    const client = await RawClient.connect(server.url, name, `visit=${visit}`)
    expect(await client.join()).toBeNull()
    return client
  }
  async function met(one: RawClient, other: RawClient): Promise<void> {
    expect((await one.matched()).session).toBe((await other.matched()).session)
  }
  for (const [index, server] of [first, second].entries())
    await met(await queued(server, `one${index}`), await queued(server, `two${index}`))
  return { first, second, disconnected, queued, met }
}

const counts = ({ hub }: { hub: { counts(): { queue: Map<string, unknown> } } }, region: string) =>
  hub.counts().queue.get(region)

test('users meet within their region, though a user of another region has waited longer', async () => {
  const { first, second, queued, met } = await twoRegions(NEVER_MS)
  const ann = await queued(first, 'ann')
  const bob = await queued(second, 'bob')
  expect(counts(first, 'eu')).toEqual({ waiting: 1, away: 0 })
  expect(counts(second, 'us')).toEqual({ waiting: 1, away: 0 })
  await met(bob, await queued(second, 'cat'))
  await met(ann, await queued(first, 'dan'))
})

test('a user without a partner in the own region meets a user of another one after the spill time', async () => {
  const { first, second, queued, met } = await twoRegions(300)
  await met(await queued(first, 'ann'), await queued(second, 'bob'))
})

test('users of a thin region meet those of another at once, also of a server without a region', async () => {
  for (const regions of [REGIONS, ['', 'us']]) {
    const { first, second } = await startHubs(2, redis, { regions, spillAfterMs: NEVER_MS })
    const ann = await RawClient.connect(first.url, 'ann')
    const bob = await RawClient.connect(second.url, 'bob')
    for (const one of [ann, bob]) expect(await one.join()).toBeNull()
    expect((await ann.matched()).session).toBe((await bob.matched()).session)
  }
})

test('a user who comes back to a server of another region waits in that region', async () => {
  const { first, second, disconnected, queued, met } = await twoRegions(NEVER_MS)
  const ann = await queued(first, 'ann')
  await ann.cut()
  await disconnected(ann.id)
  const back = await RawClient.connect(second.url, 'ann', 'visit=ann')
  await met(back, await queued(second, 'bob'))
})

test('after a match between two regions each user waits in the own region again', async () => {
  const { first, second, queued } = await twoRegions(300)
  const [ann, bob] = [await queued(first, 'ann'), await queued(second, 'bob')]
  const { session } = await ann.matched()
  expect(await ann.invoke('OnMatchedSessionTerminationRequested', session, ann.id)).toBeNull()
  await bob.event('SessionTerminated')
  // One of the two servers is the home of both now, and they have met.
  for (const one of [ann, bob]) expect(await one.join()).toBeNull()
  const [cat, dan] = [await queued(second, 'cat'), await queued(first, 'dan')]
  expect((await bob.matched(2)).session).toBe((await cat.matched()).session)
  expect((await ann.matched(2)).session).toBe((await dan.matched()).session)
})
