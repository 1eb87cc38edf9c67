import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { recordOf } from '#protocol/parse.ts'
import { spokenLanguages } from '#protocol/spoken-languages.ts'
import { isRedisOutage, type RedisClient } from '../../platform/redis/redis-client.ts'
import { SharedReports } from '../../platform/redis/shared-reports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { type Activity, createActivity } from '../rules/activity.ts'

const ROUND_MS = 2_000
/** Counts of other servers that are older than this are ignored: Redis is away. */
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
export function createSharedActivity({ client, newId, clock, log }: Options) {
  const reports = new SharedReports({
    client,
    newId,
    clock,
    key: '{waggle-activity}',
    silentMs: SILENT_MS,
    schema: countsSchema,
  })
  const here = createActivity()
  let others: readonly Counts[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let cancel: () => void = () => undefined
  let exchanging: Promise<void> = Promise.resolve()
  let isStopped = false

  /** The counts of the other servers; none while Redis is away. */
  const freshOthers = () => (clock.now() - readAt < FRESH_MS ? others : [])

  /** Writes the counts of this server and reads those of the other servers. Never rejects. */
  async function exchange(): Promise<void> {
    try {
      const languages = Object.fromEntries(here.languages())
      others = await reports.exchange({ ...here.counts(), languages })
      readAt = clock.now()
    } catch (error) {
      if (!isRedisOutage(error)) log.error({ err: error }, 'matching: users of other servers could not be counted')
    }
  }

  function start(): void {
    if (isStopped) return
    cancel = clock.after(ROUND_MS, () => {
      exchanging = exchange().finally(start)
    })
  }

  /** Removes the counts of this server. Never rejects. */
  async function stop(): Promise<void> {
    isStopped = true
    cancel()
    await exchanging
    try {
      await reports.leave()
    } catch (error) {
      if (!isRedisOutage(error)) log.error({ err: error }, 'matching: the counts of this server were not removed')
    }
  }

  const activity: Activity = {
    countHere: here.countHere,
    counts() {
      let { searching, talking } = here.counts()
      for (const other of freshOthers()) {
        searching += other.searching
        talking += other.talking
      }
      return { searching, talking }
    },
    speakersOf(language) {
      let count = here.speakersOf(language)
      for (const { languages } of freshOthers()) count += languages[language] ?? 0
      return count
    },
  }
  return { ...activity, exchange, start, stop }
}

/** Returns an activity that exchanges before the app is ready and then every `ROUND_MS` until the app closes. */
export function shareActivity(app: FastifyInstance, options: Options): Activity {
  const activity = createSharedActivity(options)
  app.addHook('onReady', async () => {
    await activity.exchange()
    activity.start()
  })
  app.addHook('preClose', activity.stop)
  return activity
}
