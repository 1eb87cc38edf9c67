import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { recordOf } from '#protocol/parse.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { isRedisOutage, type RedisClient } from '../../platform/redis/redis-client.ts'
import { SharedReports } from '../../platform/redis/shared-reports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Activity, ActivityCounts, LanguageCounts } from '../rules/activity.ts'

const ROUND_MS = 2_000
/** Older counts of the other servers are ignored: Redis is away. */
const FRESH_MS = 15_000
const SILENT_MS = 3 * ROUND_MS

const countsSchema = v.object({
  searching: v.number(),
  talking: v.number(),
  // Servers of the previous version do not write the languages.
  languages: v.optional(recordOf(v.number(), spokenLanguages.length), {}),
})
type Counts = v.InferOutput<typeof countsSchema>

type Options = { client: RedisClient; newId: () => string; clock: Clock; log: FastifyBaseLogger }

/** Adds the counts of this server, as they are now, to those that the other servers have written to Redis. */
export class SharedActivity implements Activity {
  readonly #options: Options
  readonly #reports: SharedReports<Counts>
  #readHere = (): ActivityCounts => ({ searching: 0, talking: 0 })
  #readLanguagesHere = (): LanguageCounts => new Map()
  #others: readonly Counts[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #cancel: () => void = () => undefined
  #exchanging: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#reports = new SharedReports({
      ...options,
      key: '{waggle-activity}',
      silentMs: SILENT_MS,
      schema: countsSchema,
    })
  }

  countHere(read: () => ActivityCounts, readLanguages: () => LanguageCounts): void {
    this.#readHere = read
    this.#readLanguagesHere = readLanguages
  }

  counts(): ActivityCounts {
    let counts = this.#readHere()
    for (const { searching, talking } of this.#freshOthers())
      counts = { searching: counts.searching + searching, talking: counts.talking + talking }
    return counts
  }

  speakersOf(language: string): number {
    let count = this.#readLanguagesHere().get(language) ?? 0
    for (const { languages } of this.#freshOthers()) count += languages[language] ?? 0
    return count
  }

  /** Writes the counts of this server and reads those of the others. Never rejects. */
  async exchange(): Promise<void> {
    const { clock, log } = this.#options
    try {
      const languages = Object.fromEntries(this.#readLanguagesHere())
      this.#others = await this.#reports.exchange({ ...this.#readHere(), languages })
      this.#readAt = clock.now()
    } catch (error) {
      if (!isRedisOutage(error)) log.error({ err: error }, 'matching: users of other servers could not be counted')
    }
  }

  start(): void {
    if (this.#isStopped) return
    this.#cancel = this.#options.clock.after(ROUND_MS, () => {
      this.#exchanging = this.exchange().finally(() => this.start())
    })
  }

  /** Removes the counts of this server. Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#exchanging
    try {
      await this.#reports.leave()
    } catch (error) {
      const { log } = this.#options
      if (!isRedisOutage(error)) log.error({ err: error }, 'matching: the counts of this server were not removed')
    }
  }

  /** The counts of the other servers; none while Redis is away. */
  #freshOthers(): readonly Counts[] {
    return this.#options.clock.now() - this.#readAt < FRESH_MS ? this.#others : []
  }
}

/** Returns a `SharedActivity` that exchanges before the app is ready and then every `ROUND_MS` until the app closes. */
export function shareActivity(app: FastifyInstance, options: Options): SharedActivity {
  const activity = new SharedActivity(options)
  app.addHook('onReady', async () => {
    await activity.exchange()
    activity.start()
  })
  app.addHook('preClose', () => activity.stop())
  return activity
}
