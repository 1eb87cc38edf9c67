import { ErrorReply } from '@redis/client'
import { pino } from 'pino'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isOutage, Pool } from '../../../../server/fleet/pool.ts'
import { createPresence } from '../../../../server/hub/rules/presence.ts'
import { createSharedPresence } from '../../../../server/hub/shared-presence.ts'
import { type RedisClient, readerOf } from '../../../../server/platform/redis/redis-client.ts'
import { openRedis } from '../../../../server/platform/redis/redis-cluster.ts'
import { RedisCounts } from '../../../../server/platform/redis/redis-counts.ts'
import { RedisNotes } from '../../../../server/platform/redis/redis-notes.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { type RedisCluster, startRedisCluster } from '../../../support/servers/redis-cluster.ts'

/** What the servers keep in Redis, over the connection that `REDIS_URL` with several addresses makes. */

const MINUTE = 60_000
const log = pino({ level: 'silent' })
let cluster: RedisCluster
let redis: RedisClient
/** A client that has an address where nobody answers: it connects while other tests wait. */
let besideNobody: Promise<RedisClient>

beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: true })
  redis = await openRedis(cluster.urls, log)
  const [first = '', second = ''] = cluster.urls
  besideNobody = openRedis([first.replace(/:\d+$/, ':1'), second], log)
})
afterAll(async () => {
  redis.destroy()
  ;(await besideNobody).destroy()
  await cluster.stop()
})

const names = Array.from({ length: 30 }, (_, n) => `name ${n}`)

test('notes and people online are common to all servers, on whichever node they are', async () => {
  const limits = { keepMs: MINUTE, most: 3, name: 'n', digest: (text: string) => text, schema: v.number() }
  const [here, there] = [new RedisNotes(redis, limits), new RedisNotes(redis, limits)]
  for (const name of names) {
    await here.add(name, 1)
    expect(await there.add(name, 2)).toEqual([1, 2])
    expect(await here.take(name)).toEqual([1, 2])
    expect(await there.take(name)).toEqual([])
  }

  const clock = fakeClock(1_000_000)
  const online = [0, 1].map(() => createSharedPresence({ client: redis, local: createPresence(clock), clock, log }))
  for (const [index, one] of online.entries()) for (const name of names) one.seen(`${name} of ${index}`)
  for (const one of [...online, ...online]) await one.exchange()
  expect(online.map((one) => one.count())).toEqual([60, 60])
})

test('a slot that another node has got is followed there', async () => {
  const counts = new RedisCounts(redis, () => 'wanderer')
  const key = 'waggle:count:{wanderer}'
  await counts.add('x', MINUTE)
  await counts.forget('x')
  expect(await cluster.moveSlotOf(key)).not.toBe(await cluster.nodeOf(key))
  expect((await counts.add('x', MINUTE)).count).toBe(1)
  expect((await counts.add('x', MINUTE)).count).toBe(2)
})

test('while a slot is moved key by key counts in it go on, and the queue of a pool waits for its end', async () => {
  const pool = new Pool(redis, 'moving')
  const counts = new RedisCounts(redis, () => 'moving')
  const times = { languageAfter: 1, anybodyAfter: 1, spillAfter: 1, relaxAfter: 1 }
  await renew(pool)
  await cluster.whileMoving(pool.tag, async () => {
    const step = pool.run('tick', { self: 's', ...times, keep: 1, now: 0, seed: 1 })
    const fault: unknown = await step.catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(ErrorReply)
    expect(isOutage(fault)).toBe(true)
  })
  await renew(pool)
  await cluster.whileMoving('waggle:count:{moving}', async () => {
    expect((await counts.add('x', MINUTE)).count).toBe(1)
    expect((await counts.add('x', MINUTE)).count).toBe(2)
  })
})

const renew = (pool: Pool) => pool.run('renew', { self: 's', expiry: MINUTE })

/** A pool with a stream that somebody waits at, who tells what came. */
async function poolWithReader(name: string) {
  const pool = new Pool(redis, name)
  await renew(pool)
  const reader = readerOf(redis)
  await reader.connect()
  onTestFinished(() => reader.destroy())
  const key = pool.key('to', 's')
  const write = (n: string) => redis.xAddNoMkStream(key, '*', { n })
  let last = '0'
  /** Until one with this text comes. */
  async function read(text: string): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const streams = await reader.xRead({ key, id: last }, { BLOCK: 1_000, COUNT: 100 }).catch(() => null)
      for (const { id, message } of streams?.[0]?.messages ?? []) {
        last = id
        if (message.n === text) return
      }
    }
  }
  return { pool, write, read, node: await cluster.masterOf(pool.tag) }
}

test('the slot of a pool is moved key by key: its steps wait without a trace, messages pass, and nothing is lost', async () => {
  const { pool, write, read } = await poolWithReader('moved')
  const homeAt = async (self: string) => (await pool.run('attach', { self, user: 'ann' })).home
  expect(await homeAt('s')).toBe('s')
  let halfways = 0
  await cluster.moveKeysOf(pool.tag, {
    atOnce: 1,
    async halfway() {
      halfways += 1
      // Before it reads or writes anything, at either node.
      await expect(renew(pool)).rejects.toThrow('TRYAGAIN')
      await Promise.all([read('halfway'), write('halfway')])
    },
  })
  expect(halfways).toBe(1)
  await Promise.all([read('after'), write('after')])
  await renew(pool)
  expect(await homeAt('t')).toBe('s')
})

test('an address where nobody answers is passed over', async () => {
  const counts = new RedisCounts(await besideNobody, (text) => text)
  expect((await counts.add('somebody', MINUTE)).count).toBe(1)
})

test.each([
  ['is killed', 'first', 'kill' as const],
  ['says nothing any more', 'second', 'freeze' as const],
])('a master that %s: its replica takes over, and whoever waited at it waits there', async (_, name, fate) => {
  const { pool, write, read, node } = await poolWithReader(name)
  const { epoch } = await renew(pool)
  await Promise.all([read('before'), write('before')])
  const waiting = read('after')
  // Servers never stop writing, so that a connection to nobody is never idle.
  const traffic = setInterval(() => void write('more').catch(() => undefined), 100)
  onTestFinished(() => clearInterval(traffic))
  onTestFinished(() => node.wake())
  // What the replica does not have yet would be lost with its master.
  await node.replicated()
  await node[fate]()
  await expect(renew(pool)).rejects.toThrow()
  await expect.poll(() => write('after').catch(() => null)).not.toBeNull()
  await waiting
  expect((await renew(pool)).epoch).not.toBe(epoch)
  await expect
    .poll(() =>
      redis.ping().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})
