import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { isRedisOutage, type RedisClient } from '../platform/redis/redis-client.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { createRounds } from '../platform/rules/routine.ts'
import { PRESENCE_MS, type Presence } from './rules/presence.ts'

const ROUND_MS = 2_000
/** A shared count older than this is ignored; then this server's count is used. */
const FRESH_MS = 15_000
/** Keys over which the users are spread, so that they are on several nodes of a cluster. */
const KEYS = 16

type Options = { client: RedisClient; local: Presence; clock: Clock; log: FastifyBaseLogger }

function keyNumberOf(accountId: string): number {
  let sum = 0
  for (let index = 0; index < accountId.length; index += 1) sum = (sum * 31 + accountId.charCodeAt(index)) % 65_521
  return sum % KEYS
}

/** Counts the users that any server has seen within `PRESENCE_MS`; while Redis is away, the users that this server has seen. */
export function createSharedPresence({ client, local, clock, log }: Options) {
  let seenHere = new Set<string>()
  let countOfAll = 0
  let countedAt = Number.NEGATIVE_INFINITY

  /** Writes the users that this server has seen to Redis and reads the count of all servers. Never rejects. */
  async function exchange(): Promise<void> {
    const seen = seenHere
    seenHere = new Set()
    const now = clock.now()
    const members = Array.from({ length: KEYS }, (): { score: number; value: string }[] => [])
    for (const accountId of seen) members[keyNumberOf(accountId)]?.push({ score: now, value: accountId })
    try {
      const counts = await Promise.all(
        members.map(async (added, number) => {
          const key = `{waggle-online-${number}}`
          if (added.length > 0) await client.zAdd(key, added)
          await client.zRemRangeByScore(key, '-inf', now - PRESENCE_MS)
          return client.zCard(key)
        }),
      )
      countOfAll = counts.reduce((sum, count) => sum + count, 0)
      countedAt = now
    } catch (error) {
      for (const accountId of seen) seenHere.add(accountId)
      if (!isRedisOutage(error)) log.error({ err: error }, 'presence: users online could not be counted')
    }
  }

  const presence: Presence = {
    seen(accountId) {
      local.seen(accountId)
      seenHere.add(accountId)
    },
    count() {
      const isFresh = clock.now() - countedAt < FRESH_MS
      return isFresh ? Math.max(countOfAll, local.count()) : local.count()
    },
  }
  return { ...presence, exchange }
}

/** Returns a presence that exchanges before the app is ready and then every `ROUND_MS` until the app closes. */
export function sharePresence(app: FastifyInstance, options: Options): Presence {
  const presence = createSharedPresence(options)
  const rounds = createRounds(options.clock, ROUND_MS, presence.exchange)
  app.addHook('onReady', async () => {
    await presence.exchange()
    rounds.start()
  })
  app.addHook('preClose', rounds.stop)
  return presence
}
