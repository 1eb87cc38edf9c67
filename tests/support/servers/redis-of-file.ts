import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { redisClient } from '../../../server/platform/redis/redis-client.ts'
import { type RedisServer, startRedis } from './redis.ts'

/** Starts a Redis for the tests of one file, and connects to it. To be called once, outside of tests; the getters work inside. */
export function redisOfFile() {
  let redis: RedisServer
  let client: ReturnType<typeof redisClient>

  beforeAll(async () => {
    redis = await startRedis()
    client = redisClient(redis.url, pino({ level: 'silent' }))
    await client.connect()
  })
  afterAll(async () => {
    client.destroy()
    await redis.stop()
  })

  return {
    get url() {
      return redis.url
    },
    get client() {
      return client
    },
  }
}
