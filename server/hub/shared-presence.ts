import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { isRedisOutage, type RedisClient } from '../platform/redis/redis-client.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { Presence } from './rules/presence.ts'
import { PRESENCE_MS } from './rules/presence.ts'

const ROUND_MS = 2_000
/** A number that is older than this is worth less than what this server has seen itself. */
const FRESH_MS = 15_000
/** Spread over the nodes of a cluster. */
const PARTS = 16

type Options = { client: RedisClient; local: Presence; clock: Clock; log: FastifyBaseLogger }

/** Which part of all people somebody belongs to. */
function partOf(accountId: string): number {
  let sum = 0
  for (let index = 0; index < accountId.length; index += 1) sum = (sum * 31 + accountId.charCodeAt(index)) % 65_521
  return sum % PARTS
}

/** Counts everybody seen by any server within the last minute. While Redis is away, those seen by this one. */
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

  /** Tells the others whom this server has seen, and asks how many there are. Resolves when it is so. */
  async exchange(): Promise<void> {
    const { client, clock, log } = this.#options
    const seen = this.#seen
    this.#seen = new Set()
    const now = clock.now()
    const parts = Array.from({ length: PARTS }, (): { score: number; value: string }[] => [])
    for (const accountId of seen) parts[partOf(accountId)]?.push({ score: now, value: accountId })
    try {
      const counts = await Promise.all(
        parts.map(async (members, part) => {
          const key = `{waggle-online-${part}}`
          if (members.length > 0) await client.zAdd(key, members)
          await client.zRemRangeByScore(key, '-inf', now - PRESENCE_MS)
          return client.zCard(key)
        }),
      )
      this.#count = counts.reduce((sum, count) => sum + count, 0)
      this.#countedAt = now
    } catch (error) {
      for (const accountId of seen) this.#seen.add(accountId)
      if (!isRedisOutage(error)) log.error({ err: error }, 'people online could not be counted')
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

/** The same, exchanged before the app is ready and until it closes. */
export function sharePresence(
  app: FastifyInstance,
  options: ConstructorParameters<typeof SharedPresence>[0],
): SharedPresence {
  const presence = new SharedPresence(options)
  app.addHook('onReady', async () => {
    await presence.exchange()
    presence.start()
  })
  app.addHook('preClose', async () => presence.stop())
  return presence
}
