import type { FastifyBaseLogger } from 'fastify'
import { redisClient } from './bus/pool.ts'
import { RedisCounts } from './bus/redis-counts.ts'
import { RedisPresence } from './bus/redis-presence.ts'
import { type Counts, createSurvivingCounts, OwnCounts } from './domain/counts.ts'
import type { Clock, Presence } from './domain/ports.ts'
import { createPresence } from './domain/presence.ts'
import { createRoutine, type Routine } from './domain/routine.ts'

/** How late others hear of somebody who has come. */
const EXCHANGE_MS = 2_000

type Deps = {
  redisUrl: string | null
  clock: Clock
  /** Of names that nobody else is to learn. */
  digest: (text: string) => string
  log: FastifyBaseLogger
}

/** What a server counts together with the others, where Redis joins them, and alone where it does not. */
export type Together = {
  counts: Counts
  presence: Presence
  /** False until the others could be reached for the first time. */
  reached(): boolean
  start(): void
  stop(): Promise<void>
}

export function countTogether({ redisUrl, clock, digest, log }: Deps): Together {
  const counts = new OwnCounts(clock.now)
  const presence = createPresence(clock)
  if (redisUrl === null) return { counts, presence, reached: () => true, start() {}, stop: async () => {} }

  const redis = redisClient(redisUrl, log)
  const together = new RedisPresence(redis, presence, clock)
  const exchange: Routine = createRoutine({
    clock,
    firstMs: 0,
    everyMs: EXCHANGE_MS,
    retryMs: EXCHANGE_MS,
    task: async () => {
      if (redis.isReady) await together.exchange()
      return true
    },
    // Redis that does not answer has its own line.
    fault: (error) => log.debug({ err: error }, 'who is here could not be told to the other servers'),
  })
  let reached = false
  redis.on('ready', () => {
    reached = true
  })
  return {
    counts: createSurvivingCounts({
      shared: new RedisCounts(redis, digest),
      own: counts,
      clock,
      changed(alone, error) {
        if (alone) log.warn({ err: error }, 'limits are counted on this server alone')
        else log.info('limits are counted together again')
      },
    }),
    presence: together,
    reached: () => reached,
    start() {
      redis.connect().catch((error: unknown) => log.error({ err: error }, 'there is no way to Redis'))
      exchange.start()
    },
    async stop() {
      await exchange.stop()
      if (redis.isOpen) redis.destroy()
    },
  }
}
