import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHubs } from '../../support/fleet/many-servers.ts'
import { RawClient } from '../../support/hub/hub-client.ts'
import { type RedisServer, startRedis } from '../../support/servers/redis.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const wasTold = (client: RawClient, size: number) =>
  client.until(() => client.events('OnQueueSize').at(-1)?.[0] === size)

test('a search on one server hears of searches on the other', async () => {
  const { first, second, blocks } = await startHubs(2, redis)
  blocks.push(['ann', 'bob'])
  const ann = await RawClient.connect(first.url, 'ann')
  await ann.join()
  await wasTold(ann, 0)
  const bob = await RawClient.connect(second.url, 'bob')
  await bob.join()
  await Promise.all([wasTold(ann, 1), wasTold(bob, 1)])
  await bob.leave()
  await wasTold(ann, 0)
})

test('every server counts each user of a call once, whichever servers the two are on', async () => {
  const { hubs, first, second } = await startHubs(2, redis)
  const [ann, bob] = [await RawClient.connect(first.url, 'ann'), await RawClient.connect(second.url, 'bob')]
  await ann.join()
  await bob.join()
  const { role, session } = await ann.matched()
  await bob.matched()
  const caller = role === 'Caller' ? ann : bob
  expect(await caller.invoke('UpdateWebRtcConnectionSuccessStatus', session)).toBeNull()
  const counted = () => hubs.map(({ hub }) => hub.activity())
  const both = { searching: 0, talking: 2 }
  await expect.poll(counted).toEqual([both, both])
  await caller.leave()
  const none = { searching: 0, talking: 0 }
  await expect.poll(counted).toEqual([none, none])
})
