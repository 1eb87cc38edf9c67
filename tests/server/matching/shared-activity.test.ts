import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createSharedActivity } from '../../../server/matching/redis/shared-activity.ts'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { startRedis } from '../../support/servers/redis.ts'

const SECOND_MS = 1_000

async function servers() {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const clock = fakeClock(1_000_000)
  const log = pino({ level: 'silent' })
  const client = redisClient(redis.url, log)
  await client.connect()
  onTestFinished(() => client.destroy())
  let ids = 0
  const make = (searching: number, talking: number, languages: Record<string, number>) => {
    const here = { searching, talking }
    const activity = createSharedActivity({ client, newId: () => `server-${++ids}`, clock, log })
    activity.countHere(
      () => here,
      () => new Map(Object.entries(languages)),
    )
    return { activity, here }
  }
  return { redis, clock, client, one: make(3, 2, { en: 2, es: 1 }), other: make(4, 10, { en: 4 }) }
}

test('each server counts its own users as they are now, and those of the others as they were written', async () => {
  const { one, other } = await servers()
  await one.activity.exchange()
  expect(one.activity.counts()).toEqual({ searching: 3, talking: 2 })
  await other.activity.exchange()
  expect(other.activity.counts()).toEqual({ searching: 7, talking: 12 })
  await one.activity.exchange()
  one.here.searching = 0
  expect(one.activity.counts()).toEqual({ searching: 4, talking: 12 })
  expect(['en', 'es', 'fr'].map((language) => one.activity.speakersOf(language))).toEqual([6, 1, 0])
})

test('a server that has stopped counts no more, and one that died only for a few seconds', async () => {
  const { clock, one, other } = await servers()
  await other.activity.exchange()
  await one.activity.exchange()
  expect(one.activity.counts().talking).toBe(12)
  for (let round = 0; round < 3; round += 1) {
    clock.advance(2 * SECOND_MS)
    await one.activity.exchange()
  }
  expect(one.activity.counts().talking).toBe(2)

  await other.activity.exchange()
  await one.activity.exchange()
  expect(one.activity.counts().talking).toBe(12)
  await other.activity.stop()
  await one.activity.exchange()
  expect(one.activity.counts().talking).toBe(2)
})

test('what cannot be read, as of a newer version, is not counted, and removed after a few seconds of silence', async () => {
  const { client, clock, one } = await servers()
  await client.hSet('{waggle-activity}', 'stranger', 'no counts')
  await one.activity.exchange()
  expect(one.activity.counts()).toEqual({ searching: 3, talking: 2 })
  expect(await client.hGet('{waggle-activity}', 'stranger')).toBe('no counts')
  clock.advance(6 * SECOND_MS)
  await one.activity.exchange()
  expect(Object.keys(await client.hGetAll('{waggle-activity}'))).toHaveLength(1)
})

test('without Redis a server counts its own users, and all of them when Redis is back', async () => {
  const { redis, clock, one, other } = await servers()
  await other.activity.exchange()
  await one.activity.exchange()
  await redis.kill()
  await one.activity.exchange()
  expect(one.activity.counts().searching).toBe(7)
  clock.advance(15 * SECOND_MS)
  expect(one.activity.counts().searching).toBe(3)
  await redis.start()
  const both = async () => {
    await other.activity.exchange()
    await one.activity.exchange()
    return one.activity.counts().searching
  }
  await expect.poll(both).toBe(7)
})
