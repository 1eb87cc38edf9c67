import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { RedisClient } from '../platform/redis/redis-client.ts'
import { SharedReports } from '../platform/redis/shared-reports.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { HealthReport } from './rules/service-status.ts'

/** A server tells its health every 15 s. */
const SILENT_MS = 45_000

const amount = v.pipe(v.number(), v.minValue(0))
const outcomesSchema = v.object({ good: amount, bad: amount })
const reportSchema = v.object({
  report: v.object({
    hasDatabase: v.boolean(),
    outcomes: v.object({ signIn: outcomesSchema, calls: outcomesSchema, pictures: outcomesSchema }),
    waiting: amount,
    matchedMs: v.nullable(v.number()),
    lastingMs: v.partial(v.object({ signIn: amount, matching: amount, calls: amount, pictures: amount })),
  }),
})

type Options = {
  client: Pick<RedisClient, 'isReady' | 'hSet' | 'hGetAll' | 'hDel'>
  newId: () => string
  clock: Pick<Clock, 'now'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Tells the health of this server to those that share its Redis, and reads theirs. */
export class SharedHealth {
  readonly #log: Options['log']
  readonly #reports: SharedReports<v.InferOutput<typeof reportSchema>>

  constructor({ log, ...options }: Options) {
    this.#log = log
    this.#reports = new SharedReports({
      ...options,
      key: '{waggle-health}',
      silentMs: SILENT_MS,
      schema: reportSchema,
    })
  }

  /** Resolves with the reports of the other servers. Rejects while Redis is away. */
  async exchange(report: HealthReport): Promise<HealthReport[]> {
    return (await this.#reports.exchange({ report })).map((other) => other.report)
  }

  /** Removes the report of this server. Never rejects. */
  async leave(): Promise<void> {
    try {
      await this.#reports.leave()
    } catch (error) {
      this.#log.error({ err: error }, 'status: the report of this server was not removed')
    }
  }
}
