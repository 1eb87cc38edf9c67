import { pino } from 'pino'
import { createCluster } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redisClient } from '../../../server/bus/pool.ts'
import { RedisCounts } from '../../../server/bus/redis-counts.ts'
import type { Queue } from '../../../server/domain/queue.ts'
import { queueContract } from '../../support/queue-contract.ts'
import { queueInRedis } from '../../support/queue-in-redis.ts'
import { checkQueueModel } from '../../support/queue-model.ts'
import { queueTimes } from '../../support/queue-terms.ts'
import { type RedisCluster, startRedisCluster } from '../../support/redis-cluster.ts'

/** Three masters: what belongs together is on one of them, what does not is spread. */

const MINUTE = 60_000
let cluster: RedisCluster
const clients = new Map<string, ReturnType<typeof redisClient>>()

beforeAll(async () => {
  cluster = await startRedisCluster()
  for (const url of cluster.urls) {
    const client = redisClient(url, pino({ level: 'silent' }))
    await client.connect()
    clients.set(url, client)
  }
}, 60_000)
afterAll(async () => {
  for (const client of clients.values()) client.destroy()
  await cluster.stop()
})

test('counts are right on every node, and spread over all of them', async () => {
  const redis = createCluster({ rootNodes: cluster.urls.map((url) => ({ url })) })
  await redis.connect()
  try {
    const servers = [0, 1].map(() => new RedisCounts(redis, (text) => text))
    for (const [index, server] of servers.entries())
      for (let n = 0; n < 60; n += 1) expect((await server.add(`person ${n}`, MINUTE)).count).toBe(index + 1)
    await servers[0]?.forget('person 0')
    expect((await servers[1]?.add('person 0', MINUTE))?.count).toBe(1)
    for (const client of clients.values()) expect(await client.dbSize()).toBeGreaterThan(5)
  } finally {
    redis.destroy()
  }
})

const used = new Set<string>()
let pools = 0
/** The queue of another pool, at the node that has it. */
async function queueOnItsNode(options: Parameters<typeof queueInRedis>[2]): Promise<Queue> {
  pools += 1
  const name = `pool-${pools}`
  const url = await cluster.nodeOf(`{waggle:${name}}`)
  const client = clients.get(url)
  if (!client) throw new Error('there is no such node')
  used.add(url)
  return queueInRedis(client, name, options)
}

queueContract('the queue in a Redis Cluster', queueOnItsNode)

test('whatever is done in a pool touches keys of its own node alone; pools are spread', {
  timeout: 90_000,
}, async () => {
  await checkQueueModel(queueOnItsNode, 20)
  expect(used.size).toBe(3)
})

test('a pool is refused by the nodes that it is not on', async () => {
  const there = await cluster.nodeOf('{waggle:elsewhere}')
  for (const [url, client] of clients) {
    const joining = queueInRedis(client, 'elsewhere', { random: Math.random, ...queueTimes })
    const joined = joining.join('ann', { region: 'eu', blocked: [], met: [] }, 0)
    if (url === there) expect(await joined).toEqual([])
    else await expect(joined).rejects.toThrow('MOVED')
  }
})
