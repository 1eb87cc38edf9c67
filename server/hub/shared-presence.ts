import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { isRedisOutage, type RedisClient } from '../platform/redis/redis-client.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { PRESENCE_MS, type Presence } from './rules/presence.ts'

const ROUND_MS = 2_000
/** A shared count that is older is ignored; this server's own count is used. */
const FRESH_MS = 15_000
/** Keys over which the users are spread, so that they are on several nodes of a cluster. */
const KEYS = 16

type Options = { client: RedisClient; local: Presence; clock: Clock; log: FastifyBaseLogger }

function keyNumberOf(accountId: string): number {
  let sum = 0
  for (let index = 0; index < accountId.length; index += 1) sum = (sum * 31 + accountId.charCodeAt(index)) % 65_521
  return sum % KEYS
}

/** Counts the users that any server has seen within `PRESENCE_MS`; while Redis is away, those that this server has seen. */
export class SharedPresence implements Presence {
  readonly #options: Options
  #seen = new Set<string>()
  #count = 0
  #countedAt = Number.NEGATIVE_INFINITY
  #cancel: () => void = () => undefined
  #stopped = false

  constructor(options: Options) {
    this.#options = options
  }

  seen(accountId: string): void {
    this.#options.local.seen(accountId)
    this.#seen.add(accountId)
  }

  count(): number {
    const { local, clock } = this.#options
    const isFresh = clock.now() - this.#countedAt < FRESH_MS
    return isFresh ? Math.max(this.#count, local.count()) : local.count()
  }

  /** Writes the users that this server has seen to Redis and reads the count of all servers. Never rejects. */
  async exchange(): Promise<void> {
    const { client, clock, log } = this.#options
    const seen = this.#seen
    this.#seen = new Set()
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
      this.#count = counts.reduce((sum, count) => sum + count, 0)
      this.#countedAt = now
    } catch (error) {
      for (const accountId of seen) this.#seen.add(accountId)
      if (!isRedisOutage(error)) log.error({ err: error }, 'presence: users online could not be counted')
    }
  }

  start(): void {
    if (this.#stopped) return
    this.#cancel = this.#options.clock.after(ROUND_MS, () => void this.exchange().finally(() => this.start()))
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }
}

/** Returns a `SharedPresence` that exchanges before the app is ready and then every `ROUND_MS` until the app closes. */
export function sharePresence(app: FastifyInstance, options: Options): SharedPresence {
  const presence = new SharedPresence(options)
  app.addHook('onReady', async () => {
    await presence.exchange()
    presence.start()
  })
  app.addHook('preClose', async () => presence.stop())
  return presence
}
