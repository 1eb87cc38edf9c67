import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createPresence, PRESENCE_MS } from '../../../server/hub/rules/presence.ts'
import { createSharedPresence } from '../../../server/hub/shared-presence.ts'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { startRedis } from '../../support/servers/redis.ts'

async function servers() {
  const redis = await startRedis()
  onTestFinished(redis.stop)
  const clock = fakeClock(1_000_000)
  const log = pino({ level: 'silent' })
  const client = redisClient(redis.url, log)
  await client.connect()
  onTestFinished(() => client.destroy())
  const make = () => createSharedPresence({ client, local: createPresence(clock), clock, log })
  return { redis, clock, one: make(), other: make() }
}

test('a user seen by any server within the last minute counts once', async () => {
  const { clock, one, other } = await servers()
  for (let person = 0; person < 100; person += 1) one.seen(`person-${person}`)
  await one.exchange()
  clock.advance(PRESENCE_MS / 2)
  for (let person = 50; person < 150; person += 1) other.seen(`person-${person}`)
  await one.exchange()
  await other.exchange()
  await one.exchange()
  expect([one.count(), other.count()]).toEqual([150, 150])

  clock.advance(PRESENCE_MS / 2 + 1)
  await one.exchange()
  expect(one.count()).toBe(100)
})

test('without Redis a server counts the users that it has seen, and shares them later', async () => {
  const { redis, clock, one, other } = await servers()
  one.seen('ann')
  await one.exchange()
  await redis.kill()
  other.seen('bob')
  await other.exchange()
  clock.advance(PRESENCE_MS / 3)
  expect(other.count()).toBe(1)
  await redis.start()
  const both = async () => {
    await other.exchange()
    return other.count()
  }
  one.seen('ann')
  await expect.poll(() => one.exchange().then(both)).toBe(2)
})
