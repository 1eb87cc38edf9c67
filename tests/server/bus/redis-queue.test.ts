import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Pool, type RedisClient, redisClient } from '../../../server/bus/pool.ts'
import { RedisQueue } from '../../../server/bus/redis-queue.ts'
import type { Pair } from '../../../server/domain/match-queue.ts'
import type { Queue } from '../../../server/domain/queue.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { checkHubModel, RELAX_MS, RESUME_MS } from '../../support/hub-model.ts'
import { KEEP, queueContract, RELAX } from '../../support/queue-contract.ts'
import { checkQueueModel, KEEP as MODEL_KEEP, RELAX as MODEL_RELAX } from '../../support/queue-model.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

let redis: RedisServer
let node: RedisServer
let client: RedisClient
let clusterClient: RedisClient
let pools = 0

async function clientOf({ url }: RedisServer): Promise<RedisClient> {
  const connected = redisClient(url, pino({ level: 'silent' }))
  await connected.connect()
  return connected
}

beforeAll(async () => {
  redis = await startRedis()
  client = await clientOf(redis)
  node = await startRedis('cluster')
  clusterClient = await clientOf(node)
  await clusterClient.clusterAddSlotsRange({ start: 0, end: 16_383 })
  await vi.waitFor(async () => expect(await clusterClient.clusterInfo()).toContain('cluster_state:ok'), 10_000)
})
afterAll(async () => {
  client.destroy()
  clusterClient.destroy()
  await Promise.all([redis.stop(), node.stop()])
})

/** A queue of its own whose matches are opened at once, as the hub does. */
function queueWith(options: { random: () => number; relaxAfterMs: number; keepMs: number }, on = client): Queue {
  pools += 1
  const pool = new Pool(on, `pool-${pools}`)
  const self = 'server'
  const queue = new RedisQueue({ pool, self: () => self, clock: fakeClock(), ...options })
  let sessions = 0

  async function opened(made: Promise<Pair[]>): Promise<Pair[]> {
    for (const { caller, callee } of await made) {
      sessions += 1
      const session = { id: `s${sessions}`, caller: caller.user, callee: callee.user, startedAt: 0, connected: false }
      await pool.run('opened', { self, ...session })
    }
    return made
  }

  return {
    join: (...args) => opened(queue.join(...args)),
    restore: (...args) => opened(queue.restore(...args)),
    resume: (...args) => opened(queue.resume(...args)),
    tick: (...args) => opened(queue.tick(...args)),
    hold: (...args) => queue.hold(...args),
    drop: (...args) => queue.drop(...args),
    leave: (...args) => queue.leave(...args),
    block: (...args) => queue.block(...args),
    find: (...args) => queue.find(...args),
    nextTick: () => queue.nextTick(),
  }
}

const contract = { random: Math.random, relaxAfterMs: RELAX, keepMs: KEEP }
queueContract('the queue in Redis', () => queueWith(contract))
queueContract('the queue in a Redis Cluster', () => queueWith(contract, clusterClient))

test('joins, leaves, drops, resumes, blocks and time in any order pair nobody wrongly and strand nobody', async () => {
  await checkQueueModel((random) => queueWith({ random, relaxAfterMs: MODEL_RELAX, keepMs: MODEL_KEEP }), 60)
})

test('the whole hub on it, in any order of events: one session a user, no excluded pair, nobody stranded', {
  timeout: 120_000,
}, async () => {
  const steps = 1_500
  const ran = await checkHubModel(steps, (random) => {
    pools += 1
    const pool = new Pool(client, `pool-${pools}`)
    const self = 'server'
    const queue = new RedisQueue({
      pool,
      self: () => self,
      clock: fakeClock(),
      random,
      relaxAfterMs: RELAX_MS,
      keepMs: RESUME_MS,
    })
    return {
      queue,
      idle: () => queue.idle(),
      opened: async (session) => void (await pool.run('opened', { self, ...session })),
      closed: async (id) => void (await pool.run('ended', { self, id })),
    }
  })
  expect(ran).toBeGreaterThanOrEqual(steps)
})

test('a pair whose answer was lost is brought together by the next look, and by no look after that', async () => {
  pools += 1
  const pool = new Pool(client, `pool-${pools}`)
  const options = { clock: fakeClock(), random: Math.random, relaxAfterMs: RELAX, keepMs: KEEP }
  const queue = new RedisQueue({ pool, self: () => 'server', ...options })
  const nobody = { blocked: [], met: [] }
  await queue.join('ann', nobody, 0)
  await queue.join('bob', nobody, 1)
  const [pair] = await queue.unopened()
  expect([pair?.caller.user, pair?.callee.user].sort()).toEqual(['ann', 'bob'])
  const names = { caller: pair?.caller.user, callee: pair?.callee.user }
  const session = { self: 'server', id: 's1', ...names, startedAt: 0, connected: false }
  expect((await pool.run('opened', session)).refused).toBeUndefined()
  expect(await queue.unopened()).toEqual([])
})

test('a match is refused for somebody who has gone back to waiting', async () => {
  pools += 1
  const pool = new Pool(client, `pool-${pools}`)
  const options = { clock: fakeClock(), random: Math.random, relaxAfterMs: RELAX, keepMs: KEEP }
  const queue = new RedisQueue({ pool, self: () => 'server', ...options })
  const nobody = { blocked: [], met: [] }
  await queue.join('ann', nobody, 0)
  const [pair] = await queue.join('bob', nobody, 1)
  if (!pair) throw new Error('nobody was paired')
  await queue.restore({ ...pair.caller, blocked: new Set([pair.callee.user]) }, 2)
  const session = { self: 'server', id: 's1', caller: pair.caller.user, callee: pair.callee.user, startedAt: 0 }
  expect((await pool.run('opened', { ...session, connected: false })).refused).toBe(true)
  expect(await queue.unopened()).toEqual([])
})
