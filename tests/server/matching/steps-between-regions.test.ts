import { expect, test } from 'vitest'
import { Pool } from '../../../server/fleet/pool.ts'
import { RedisQueue } from '../../../server/matching/redis/redis-queue.ts'
import { createDice } from '../../support/dice.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { noWishes, queueTimes, SPILL } from '../../support/matching/queue-terms.ts'
import { runSeed, seededRandom } from '../../support/run-seed.ts'
import { redisOfFile } from '../../support/servers/redis-of-file.ts'

const redis = redisOfFile()
let pools = 0

const LONG_MS = 60_000
const newcomer = { region: 'us', ...noWishes, blocked: [], met: [] }
const apart = { ...newcomer, blocked: ['ann', 'bob', 'cat'] }

/** A pool with a server of its own, `home`, and a server of another region, `guest:far`. */
async function onePool() {
  pools += 1
  const pool = new Pool(redis.client, `between-${pools}`)
  for (const self of ['home', 'guest:far']) await pool.run('renew', { self, expiry: LONG_MS })
  const clock = fakeClock()
  const queue = new RedisQueue({ pool, self: () => 'home', clock, ...queueTimes, random: seededRandom() })
  const spill = (user: string, now = SPILL) => pool.run('spill', { self: 'home', user, now, spillAfter: SPILL })
  const depart = (user: string) => pool.run('depart', { self: 'guest:far', user, now: 0 })
  const meet = (user: string, order: number, displace: boolean) =>
    pool.run('meet', { self: 'guest:far', user, order, displace, visit: 'newer' })
  const attach = (self: string, user: string, visit = 'older') => pool.run('attach', { self, user, visit })
  /** What the steps have told the home server, without the servers that joined. */
  async function notices(): Promise<unknown[]> {
    const entries = (await redis.client.xRange(pool.key('to', 'home'), '-', '+')) ?? []
    const all = entries.flatMap(({ message }) => (message.n === undefined ? [] : [JSON.parse(message.n)]))
    return all.filter(({ t }) => t !== 'joined')
  }
  return { pool, queue, spill, depart, meet, attach, notices }
}

test('a user is taken for another region after the wait, and is not paired in the own one any more', async () => {
  const { queue, spill } = await onePool()
  // The second of a region is not of a thin one.
  await queue.join('cat', apart, 0)
  await queue.join('ann', { ...newcomer, blocked: ['cat'] }, 0)
  expect(await spill('ann', SPILL - 1)).toEqual({})
  expect(await spill('ann')).toEqual({ taken: true })
  expect(await queue.join('bob', { ...newcomer, blocked: ['cat'] }, SPILL)).toEqual([])
})

test('a user of a thin region is taken at once, and one who is absent or in a match is not', async () => {
  const { pool, queue, spill } = await onePool()
  await queue.join('ann', newcomer, 0)
  expect(await spill('ann', 0)).toEqual({ taken: true })
  await queue.join('ann', apart, 0)
  await queue.drop('ann', 0)
  expect(await spill('ann')).toEqual({})
  await queue.join('bob', newcomer, 0)
  const [pair] = await queue.join('cat', newcomer, 0)
  expect(await spill('bob')).toEqual({})
  const match = { id: 's1', caller: pair?.caller.user, callee: pair?.callee.user, startedAt: 0, connected: false }
  await pool.run('opened', { self: 'home', ...match })
  expect(await spill('bob')).toEqual({ refused: true })
})

test('joins and moves in any order: each user is in one pair, or taken once, or still waits', async () => {
  const dice = createDice(runSeed)
  const { queue, spill, pool } = await onePool()
  const users = Array.from({ length: 200 }, (_, index) => `u${index}`)
  const seen = new Map(users.map((user) => [user, 0]))
  const count = (user: string) => seen.set(user, (seen.get(user) ?? 0) + 1)
  const steps = users.flatMap((user) => {
    const join = async () => {
      // Most exclude each other, so that many wait.
      const blocked = users.filter(() => dice.chance(0.95))
      for (const { caller, callee } of await queue.join(user, { ...newcomer, blocked }, 0))
        for (const one of [caller, callee]) count(one.user)
    }
    const move = async () => {
      if ((await spill(user)).taken) count(user)
    }
    return [join, move, move].map((step) => ({ step, order: dice.next() }))
  })
  await Promise.all(steps.sort((one, other) => one.order - other.order).map(({ step }) => step()))
  for (const user of users) if ((await pool.run('find', { user })).since !== undefined) count(user)
  expect([...seen].filter(([, times]) => times !== 1)).toEqual([])
})

test('a server of another region is neither a home server nor the host of a match', async () => {
  const { queue, attach, pool, notices } = await onePool()
  for (const user of ['ann', 'bob'])
    expect(await attach('guest:far', user)).toMatchObject({ home: 'home', known: false })
  expect(await attach('guest:far', 'ann')).toMatchObject({ home: 'home', known: true })
  await queue.join('ann', newcomer, 0)
  expect(await queue.join('bob', newcomer, 0)).toHaveLength(1)
  expect(await notices()).toEqual([])
  // The home server dies: another one takes over, not the one with the connections.
  await redis.client.zAdd(pool.key('servers'), { score: 1, value: 'home' })
  await pool.run('renew', { self: 'next', expiry: LONG_MS })
  await pool.run('takeOver', { self: 'next', dead: 'home', now: 0, keep: LONG_MS })
  expect(await attach('guest:far', 'ann')).toMatchObject({ home: 'next', known: true })
})

test('a user whose connection is at a server of another region waits for no region any more', async () => {
  const { queue, attach } = await onePool()
  for (const user of ['ann', 'bob']) await queue.join(user, { ...apart, region: user === 'ann' ? 'eu' : 'us' }, 0)
  await queue.join('cat', { ...apart, region: 'eu' }, 0)
  await attach('guest:far', 'dan')
  expect(await queue.join('dan', { ...newcomer, blocked: ['ann', 'bob'] }, 0)).toHaveLength(1)
})

test('of two connections in two regions the one with the greater number is left', async () => {
  const { queue, attach, meet, notices, pool } = await onePool()
  expect(await meet('ann', 1, true)).toEqual({})
  const { order = 0 } = await attach('home', 'ann')
  await queue.join('ann', newcomer, 0)
  expect(await meet('ann', order - 1, true)).toMatchObject({ refused: true, known: false })
  expect(await meet('ann', order + 1, false)).toEqual({ taken: true })
  expect(await notices()).toEqual([])
  expect(await meet('ann', order + 1, true)).toEqual({})
  expect(await notices()).toEqual([{ t: 'displaced', user: 'ann', order: String(order + 1), visit: 'newer' }])
  expect((await pool.run('find', { user: 'ann' })).since).toBeUndefined()
})

test('a user whose connection is over at another server is forgotten, unless there is a newer one', async () => {
  const { attach, meet, pool } = await onePool()
  const [{ order: first = 0 }, { order: second = 0 }] = [
    await attach('guest:far', 'ann'),
    await attach('guest:far', 'ann'),
  ]
  for (const order of [first, second]) {
    expect(await meet('ann', second + 1, false)).toEqual({ taken: true })
    await pool.run('release', { self: 'guest:far', user: 'ann', order })
    await pool.run('forget', { self: 'home', user: 'ann' })
  }
  expect(await meet('ann', second + 1, false)).toEqual({})
})

test('a user with a match does not return to the own region before it ends', async () => {
  const { queue, depart } = await onePool()
  await queue.join('ann', newcomer, 0)
  expect(await depart('ann')).toEqual({ taken: true })
  await queue.join('ann', newcomer, 0)
  await queue.join('bob', newcomer, 0)
  expect(await depart('ann')).toEqual({})
})

test('of two regions that start at the same time one adopts an open match, and none if a server has it', async () => {
  const { pool } = await onePool()
  const claim = (region: string, isOwn: boolean) =>
    pool.run('claim', { self: 'home', region, isOwn, ids: ['s1', 's2'] })
  await pool.run('publishMatch', {
    self: 'home',
    id: 's2',
    caller: 'ann',
    callee: 'bob',
    startedAt: 0,
    connected: true,
  })
  expect(await claim('us', false)).toEqual({ ids: ['s1'] })
  expect(await claim('eu', true)).toEqual({ ids: ['s2'] })
})
