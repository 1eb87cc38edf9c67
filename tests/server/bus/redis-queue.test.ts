import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pool, type RedisClient, redisClient } from '../../../server/bus/pool.ts'
import { RedisQueue } from '../../../server/bus/redis-queue.ts'
import type { Queue } from '../../../server/domain/queue.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { checkHubModel, RELAX_MS, RESUME_MS } from '../../support/hub-model.ts'
import { KEEP, queueContract, RELAX } from '../../support/queue-contract.ts'
import { queueInRedis } from '../../support/queue-in-redis.ts'
import { checkQueueModel, KEEP as MODEL_KEEP, RELAX as MODEL_RELAX } from '../../support/queue-model.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

let redis: RedisServer
let client: RedisClient
let pools = 0

beforeAll(async () => {
  redis = await startRedis()
  client = redisClient(redis.url, pino({ level: 'silent' }))
  await client.connect()
})
afterAll(async () => {
  client.destroy()
  await redis.stop()
})

function queueWith(options: { random: () => number; relaxAfterMs: number; keepMs: number }): Queue {
  pools += 1
  return queueInRedis(client, `pool-${pools}`, options)
}

queueContract('the queue in Redis', () => queueWith({ random: Math.random, relaxAfterMs: RELAX, keepMs: KEEP }))

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
