import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { Pool } from '../../../server/fleet/pool.ts'
import { RedisFleet } from '../../../server/fleet/redis-fleet.ts'
import { RedisQueue } from '../../../server/matching/redis/redis-queue.ts'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import { systemClock } from '../../../server/platform/system-clock.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { hubWorld } from '../../support/hub/hub-fakes.ts'
import { noWishes, queueTimes, RELAX } from '../../support/matching/queue-terms.ts'
import { redisOfFile } from '../../support/servers/redis-of-file.ts'
import { StateChanges } from '../../support/state-changes.ts'

const redis = redisOfFile()
let pools = 0

const LONG_MS = 60_000
/** Excludes everybody of these tests, so that nobody is paired. */
const alone = { region: '', ...noWishes, blocked: ['ann', 'bob', 'cat'], met: [] }

/** Two live members of one fleet and their queues. */
async function twoServers() {
  pools += 1
  const pool = new Pool(redis.client, `tick-${pools}`)
  const clock = fakeClock()
  async function server(name: string) {
    await pool.run('renew', { self: name, expiry: LONG_MS })
    const queue = new RedisQueue({ pool, self: () => name, clock, ...queueTimes, random: () => 0 })
    const notices = async () => {
      const entries = await redis.client.xRange(pool.key('to', name), '-', '+')
      return (entries ?? []).flatMap(({ message }) => message.n ?? []).filter((text) => text.includes('open')).length
    }
    return { name, queue, notices }
  }
  const [one, other] = [await server('one'), await server('other')]
  /** The membership of this server was not renewed any more. */
  const expire = (name: string) => redis.client.zAdd(pool.key('servers'), { score: 1, value: name })
  return { pool, one, other, expire }
}

test('of two servers whose queue needs a tick one runs it', async () => {
  const { one, other } = await twoServers()
  await one.queue.join('ann', alone, 0)
  await other.queue.join('bob', alone, 1)
  await one.queue.unopened()
  await other.queue.unopened()
  expect([one.queue.nextTick(), other.queue.nextTick()]).toEqual([RELAX, null])
  // The first tick is of ann, and one that is due later is no news.
  expect([await one.notices(), await other.notices()]).toEqual([0, 0])
})

test('it is told of a tick that is due before the one that it knows', async () => {
  const { one, other } = await twoServers()
  await one.queue.join('ann', alone, 1_000)
  await one.queue.leave('ann')
  expect(one.queue.nextTick()).toBeNull()
  await other.queue.join('bob', alone, 2_000)
  expect([await one.notices(), other.queue.nextTick()]).toEqual([1, null])
  await one.queue.unopened()
  expect(one.queue.nextTick()).toBe(2_000 + RELAX)
  await other.queue.join('cat', alone, 3_000)
  expect(await one.notices()).toBe(1)
})

test('another server takes the ticks over when it dies', async () => {
  const { one, other, expire } = await twoServers()
  await one.queue.join('ann', alone, 0)
  await other.queue.unopened()
  expect(other.queue.nextTick()).toBeNull()
  await expire(one.name)
  await other.queue.unopened()
  expect(other.queue.nextTick()).toBe(RELAX)
  await one.queue.unopened()
  expect(one.queue.nextTick()).toBeNull()
})

test('of a server that dies without a word another takes the ticks over by itself', async () => {
  pools += 1
  const pool = `tick-${pools}`
  const log = pino({ level: 'silent' })
  async function member(name: string) {
    const own = redisClient(redis.url, log)
    await own.connect()
    const matchRecords = hubWorld(fakeClock()).deps.matchRecords
    const terms = { ...queueTimes, random: () => 0 }
    const fleet = new RedisFleet({
      client: own,
      pool,
      matchRecords,
      queue: terms,
      clock: systemClock,
      newId: () => name,
      log,
    })
    const found = new StateChanges()
    await fleet.start({
      message: () => undefined,
      moved: () => undefined,
      displaced: () => undefined,
      joined: () => undefined,
      adoptMatch: () => undefined,
      pairsFound: () =>
        void fleet.queue.unopened().then(
          () => found.notify(),
          () => undefined,
        ),
      died: () => undefined,
      fenced: () => undefined,
      state: () => ({ homes: [], here: [], matches: [] }),
      requeue: () => undefined,
    })
    return { fleet, found, own }
  }
  const [dying, left] = [await member('dying'), await member('left')]
  onTestFinished(async () => {
    await dying.fleet.leave()
    await left.fleet.leave()
    left.own.destroy()
  })
  await dying.fleet.queue.join('ann', alone, 0)
  await left.fleet.queue.unopened()
  expect([dying.fleet.queue.nextTick(), left.fleet.queue.nextTick()]).toEqual([RELAX, null])
  dying.own.destroy()
  // Its membership of 3 s ends, and the next renewal of the other asks for the ticks.
  await left.found.until(() => left.fleet.queue.nextTick() === RELAX)
})

test('a server that stops gives the ticks away while it is still a member', async () => {
  const { one, other } = await twoServers()
  await one.queue.join('ann', alone, 0)
  one.queue.stopRetries()
  await one.queue.unopened()
  await other.queue.unopened()
  expect([one.queue.nextTick(), other.queue.nextTick()]).toEqual([null, RELAX])
})
