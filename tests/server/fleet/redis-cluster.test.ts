import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { type RedisClient, redisClient } from '../../../server/platform/redis/redis-client.ts'
import { openRedis } from '../../../server/platform/redis/redis-cluster.ts'
import { RedisCounts } from '../../../server/platform/redis/redis-counts.ts'
import { queueContract } from '../../support/matching/queue-contract.ts'
import { queueInRedis } from '../../support/matching/queue-in-redis.ts'
import { checkQueueModel } from '../../support/matching/queue-model.ts'
import { noWishes, queueTimes } from '../../support/matching/queue-terms.ts'
import { seededRandom } from '../../support/run-seed.ts'
import { type RedisCluster, startRedisCluster } from '../../support/servers/redis-cluster.ts'

/** A cluster of three masters: each pool is on one node, and pools and counts are spread. */

const MINUTE = 60_000
let cluster: RedisCluster
/** The client of a server that has the addresses of all nodes. */
let redis: RedisClient
const clients = new Map<string, ReturnType<typeof redisClient>>()
const log = pino({ level: 'silent' })

beforeAll(async () => {
  cluster = await startRedisCluster()
  redis = await openRedis(cluster.urls, log)
  for (const url of cluster.urls) {
    const client = redisClient(url, log)
    await client.connect()
    clients.set(url, client)
  }
})
afterAll(async () => {
  for (const client of [redis, ...clients.values()]) client.destroy()
  await cluster.stop()
})

test('counts are right on every node, and spread over all of them', async () => {
  const servers = [0, 1].map(() => new RedisCounts(redis, (text) => text))
  for (const [index, server] of servers.entries())
    for (let n = 0; n < 60; n += 1) expect((await server.add(`person ${n}`, MINUTE)).count).toBe(index + 1)
  await servers[0]?.forget('person 0')
  expect((await servers[1]?.add('person 0', MINUTE))?.count).toBe(1)
  for (const client of clients.values()) expect(await client.dbSize()).toBeGreaterThan(5)
})

const used = new Set<string>()
let pools = 0
/** Returns the queue of a new pool, on any node. */
async function queueInCluster(options: Parameters<typeof queueInRedis>[2]): Promise<Queue> {
  pools += 1
  const name = `pool-${pools}`
  used.add(await cluster.nodeOf(`{waggle:${name}}`))
  return queueInRedis(redis, name, options)
}

queueContract('the queue in a Redis Cluster', queueInCluster)

test('the steps of a pool use keys of one node only; pools are spread over the nodes', async () => {
  await checkQueueModel(queueInCluster, sized(8, 20))
  expect(used.size).toBe(3)
})

test('a node refuses the steps of a pool that is on another node', async () => {
  const there = await cluster.nodeOf('{waggle:elsewhere}')
  for (const [url, client] of clients) {
    const joining = queueInRedis(client, 'elsewhere', { random: seededRandom(), ...queueTimes })
    const joined = joining.join('ann', { region: 'eu', ...noWishes, blocked: [], met: [] }, 0)
    if (url === there) expect(await joined).toEqual([])
    else await expect(joined).rejects.toThrow('MOVED')
  }
})
