import { describe, expect, test } from 'vitest'
import { sized } from '../../../scripts/test-limits.ts'
import { Pool } from '../../../server/fleet/pool.ts'
import { RedisQueue } from '../../../server/matching/redis/redis-queue.ts'
import type { QueueOptions } from '../../../server/matching/rules/match-queue.ts'
import type { Queue } from '../../../server/matching/rules/queue.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { checkHubModel, RELAX_MS, RESUME_MS, SPILL_MS } from '../../support/hub/hub-model.ts'
import { queueContract } from '../../support/matching/queue-contract.ts'
import { queueInRedis } from '../../support/matching/queue-in-redis.ts'
import { checkQueueModel } from '../../support/matching/queue-model.ts'
import { namesOf, noWishes, queueTimes, RELAX, SPILL } from '../../support/matching/queue-terms.ts'
import { twinQueue } from '../../support/matching/twin-queue.ts'
import { seededRandom } from '../../support/run-seed.ts'
import { redisOfFile } from '../../support/servers/redis-of-file.ts'

const redis = redisOfFile()
let pools = 0

function queueWith(options: QueueOptions): Queue {
  pools += 1
  return queueInRedis(redis.client, `pool-${pools}`, options)
}

queueContract('the queue in Redis', queueWith)

test('joins, leaves, drops, resumes, blocks and time in any order make no wrong pair and strand no user', async () => {
  await checkQueueModel(queueWith, sized(20, 60))
})

test('it makes the same pairs as the queue in memory, in the same order', async () => {
  await checkQueueModel((options) => twinQueue(queueWith, options), sized(25, 80))
})

describe('beside servers of the previous version, which know no regions', () => {
  const from = (region: string) => ({ region, ...noWishes, blocked: [], met: [] })

  /** Returns a queue with two entries that exclude each other, as such a server writes them: ann since 0, bob since 1. */
  async function withOldEntries() {
    pools += 1
    const name = `pool-${pools}`
    const pool = new Pool(redis.client, name)
    for (const [since, user] of ['ann', 'bob'].entries()) {
      await redis.client.hSet(pool.key('place', user), { since, lot: 0, state: 'waiting' })
      await redis.client.zAdd(pool.key('recent'), { score: since, value: user })
      await redis.client.sAdd(pool.key('blocked', user), ['ann', 'bob'])
    }
    return { pool, queue: queueInRedis(redis.client, name, { ...queueTimes, random: seededRandom() }) }
  }

  test('their entries are of the nameless region', async () => {
    const { queue } = await withOldEntries()
    await queue.join('passer', { ...from('eu'), blocked: ['ann', 'bob'] }, 2)
    await queue.leave('passer')
    expect(await queue.join('cat', from('eu'), 3)).toEqual([])
    expect(await queue.find('ann')).toEqual({ since: 0, region: '', apart: false })
    expect(namesOf(await queue.join('dan', from(''), 4))).toEqual([['ann', 'dan']])
    expect(namesOf(await queue.join('eve', { ...from('eu'), blocked: ['cat'] }, SPILL + 1))).toEqual([['bob', 'eve']])
  })

  test('their entries relax as before', async () => {
    const { pool, queue } = await withOldEntries()
    await redis.client.del([pool.key('blocked', 'ann'), pool.key('blocked', 'bob')])
    await redis.client.sAdd(pool.key('met', 'bob'), 'ann')
    expect(await queue.tick(RELAX - 1)).toEqual([])
    expect(queue.nextTick()).toBe(RELAX)
    expect(namesOf(await queue.tick(RELAX))).toEqual([['ann', 'bob']])
  })

  test('users whom they removed are not matched, in whichever list they remain', async () => {
    const { pool, queue } = await withOldEntries()
    for (const user of ['cat', 'dan']) await queue.join(user, { ...from('eu'), blocked: ['ann', 'bob', 'cat'] }, 10)
    await redis.client.del(pool.key('place', 'cat'))
    await redis.client.hSet(pool.key('place', 'dan'), { state: 'opening' })
    expect(await queue.join('eve', { ...from('eu'), blocked: ['ann', 'bob'] }, 11)).toEqual([])
    expect(await queue.join('fay', { ...from('us'), blocked: ['ann', 'bob', 'eve'] }, 12)).toEqual([])
    expect(await queue.tick(10 + RELAX)).toEqual([])
    expect(namesOf(await queue.join('gus', { ...from('eu'), blocked: ['ann', 'bob'] }, 11 + RELAX))).toEqual([
      ['eve', 'gus'],
    ])
  })
})

test('the whole hub on it, in any order of events: one match a user, no excluded pair, no user stranded', async () => {
  const steps = sized(500, 1_500)
  const ran = await checkHubModel(steps, (random) => {
    pools += 1
    const pool = new Pool(redis.client, `pool-${pools}`)
    const self = 'server'
    const queue = new RedisQueue({
      pool,
      self: () => self,
      clock: fakeClock(),
      random,
      ...queueTimes,
      relaxAfterMs: RELAX_MS,
      spillAfterMs: SPILL_MS,
      keepMs: RESUME_MS,
    })
    return {
      queue,
      idle: () => queue.idle(),
      opened: async (match) => void (await pool.run('opened', { self, ...match })),
      closed: async (id) => void (await pool.run('ended', { self, id })),
    }
  })
  expect(ran).toBeGreaterThanOrEqual(steps)
})

test('a pair whose reply was lost is returned by `unopened` until its match is opened, also if a connection breaks', async () => {
  pools += 1
  const pool = new Pool(redis.client, `pool-${pools}`)
  const options = { clock: fakeClock(), random: seededRandom(), ...queueTimes }
  const queue = new RedisQueue({ pool, self: () => 'server', ...options })
  const alone = { region: '', ...noWishes, blocked: [], met: [] }
  await queue.join('ann', alone, 0)
  await queue.join('bob', alone, 1)
  await queue.drop('ann', 2)
  const [pair] = await queue.unopened()
  expect([pair?.caller.user, pair?.callee.user].sort()).toEqual(['ann', 'bob'])
  const names = { caller: pair?.caller.user, callee: pair?.callee.user }
  const match = { self: 'server', id: 's1', ...names, startedAt: 0, connected: false }
  expect((await pool.run('opened', match)).refused).toBeUndefined()
  expect(await queue.unopened()).toEqual([])
})

test('a match is refused when one of the two waits again', async () => {
  pools += 1
  const pool = new Pool(redis.client, `pool-${pools}`)
  const options = { clock: fakeClock(), random: seededRandom(), ...queueTimes }
  const queue = new RedisQueue({ pool, self: () => 'server', ...options })
  const alone = { region: '', ...noWishes, blocked: [], met: [] }
  await queue.join('ann', alone, 0)
  const [pair] = await queue.join('bob', alone, 1)
  if (!pair) throw new Error('no pair was made')
  await queue.restore({ ...pair.caller, blocked: new Set([pair.callee.user]) }, 2)
  const match = { self: 'server', id: 's1', caller: pair.caller.user, callee: pair.callee.user, startedAt: 0 }
  expect((await pool.run('opened', { ...match, connected: false })).refused).toBe(true)
  expect(await queue.unopened()).toEqual([])
})
