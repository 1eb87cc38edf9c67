import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { recordOf, tryParse } from '#protocol/parse.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { isRedisOutage, type RedisClient } from '../../platform/redis/redis-client.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Activity, ActivityCounts, LanguageCounts } from '../rules/activity.ts'

const ROUND_MS = 2_000
/** Age above which the counts of the other servers are ignored: Redis is away. */
const FRESH_MS = 15_000
/** A server whose counts were not written again for this long has ended. By the reader's clock, since clocks differ. */
const SILENT_MS = 3 * ROUND_MS
const KEY = '{waggle-activity}'

/** What a server writes; `round` makes each text differ from the one before. */
const writtenSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    round: v.number(),
    searching: v.number(),
    talking: v.number(),
    // Servers of the previous version do not write it.
    languages: v.optional(recordOf(v.number(), spokenLanguages.length), {}),
  }),
)

type Options = { client: RedisClient; newId: () => string; clock: Clock; log: FastifyBaseLogger }

/** Adds the counts of this server, as they are now, to those that the other servers have written to Redis. */
export class SharedActivity implements Activity {
  readonly #options: Options
  readonly #self: string
  #readHere = (): ActivityCounts => ({ searching: 0, talking: 0 })
  #readLanguagesHere = (): LanguageCounts => new Map()
  #others: ActivityCounts = { searching: 0, talking: 0 }
  #languagesOfOthers = new Map<string, number>()
  #readAt = Number.NEGATIVE_INFINITY
  /** What the other servers have written last, and since when. */
  readonly #written = new Map<string, { text: string; since: number }>()
  #round = 0
  #cancel: () => void = () => undefined
  #exchanging: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
    this.#self = options.newId()
  }

  countHere(read: () => ActivityCounts, readLanguages: () => LanguageCounts): void {
    this.#readHere = read
    this.#readLanguagesHere = readLanguages
  }

  counts(): ActivityCounts {
    const here = this.#readHere()
    if (!this.#knowsOthers()) return here
    const { searching, talking } = this.#others
    return { searching: here.searching + searching, talking: here.talking + talking }
  }

  speakersOf(language: string): number {
    const here = this.#readLanguagesHere().get(language) ?? 0
    return here + (this.#knowsOthers() ? (this.#languagesOfOthers.get(language) ?? 0) : 0)
  }

  /** Writes the counts of this server and reads those of the others. Never rejects. */
  async exchange(): Promise<void> {
    const { client, clock, log } = this.#options
    this.#round += 1
    try {
      const languages = Object.fromEntries(this.#readLanguagesHere())
      await client.hSet(KEY, this.#self, JSON.stringify({ round: this.#round, ...this.#readHere(), languages }))
      await this.#sumOthers(await client.hGetAll(KEY))
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
    const { client, log } = this.#options
    try {
      if (client.isReady) await client.hDel(KEY, this.#self)
    } catch (error) {
      if (!isRedisOutage(error)) log.error({ err: error }, 'matching: the counts of this server were not removed')
    }
  }

  #knowsOthers(): boolean {
    return this.#options.clock.now() - this.#readAt < FRESH_MS
  }

  async #sumOthers(all: Record<string, string>): Promise<void> {
    const { client, clock } = this.#options
    const now = clock.now()
    const sum = { searching: 0, talking: 0 }
    const languages = new Map<string, number>()
    for (const server of this.#written.keys()) if (!(server in all)) this.#written.delete(server)
    for (const [server, text] of Object.entries(all)) {
      if (server === this.#self) continue
      const before = this.#written.get(server)
      const since = before?.text === text ? before.since : now
      this.#written.set(server, { text, since })
      const counts = tryParse(writtenSchema, text)
      if (now - since >= SILENT_MS || !counts.success) {
        await client.hDel(KEY, server)
      } else {
        sum.searching += counts.output.searching
        sum.talking += counts.output.talking
        for (const [language, count] of Object.entries(counts.output.languages))
          languages.set(language, (languages.get(language) ?? 0) + count)
      }
    }
    this.#others = sum
    this.#languagesOfOthers = languages
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
