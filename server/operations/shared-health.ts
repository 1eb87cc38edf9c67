import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import { tryParse } from '#protocol/parse.ts'
import type { RedisClient } from '../platform/redis/redis-client.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { HealthReport } from './rules/service-status.ts'

const KEY = '{waggle-health}'
/** A server tells its health every 15 s; one that was silent for so long has ended. By the reader's clock, since clocks differ. */
const SILENT_MS = 45_000

const amount = v.pipe(v.number(), v.minValue(0))
const outcomesSchema = v.object({ good: amount, bad: amount })
const reportSchema = v.object({
  hasDatabase: v.boolean(),
  outcomes: v.object({ signIn: outcomesSchema, calls: outcomesSchema, pictures: outcomesSchema }),
  waiting: amount,
  matchedMs: v.nullable(v.number()),
  lastingMs: v.partial(v.object({ signIn: amount, matching: amount, calls: amount, pictures: amount })),
})
/** `round` makes each text differ from the one before. */
const writtenSchema = v.pipe(v.string(), v.parseJson(), v.object({ round: v.number(), report: reportSchema }))

type Options = {
  client: Pick<RedisClient, 'isReady' | 'hSet' | 'hGetAll' | 'hDel'>
  newId: () => string
  clock: Pick<Clock, 'now'>
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Tells the health of this server to those that share its Redis, and reads theirs. */
export class SharedHealth {
  readonly #options: Options
  readonly #self: string
  /** What the other servers have written last, and since when. */
  readonly #written = new Map<string, { text: string; since: number }>()
  #round = 0

  constructor(options: Options) {
    this.#options = options
    this.#self = options.newId()
  }

  /** Resolves with the reports of the other servers. Rejects while Redis is away. */
  async exchange(report: HealthReport): Promise<HealthReport[]> {
    const { client, clock } = this.#options
    this.#round += 1
    await client.hSet(KEY, this.#self, JSON.stringify({ round: this.#round, report }))
    const all = await client.hGetAll(KEY)
    const now = clock.now()
    const reports: HealthReport[] = []
    for (const server of this.#written.keys()) if (!(server in all)) this.#written.delete(server)
    for (const [server, text] of Object.entries(all)) {
      if (server === this.#self) continue
      const before = this.#written.get(server)
      const since = before?.text === text ? before.since : now
      this.#written.set(server, { text, since })
      const written = tryParse(writtenSchema, text)
      if (now - since >= SILENT_MS) await client.hDel(KEY, server)
      else if (written.success) reports.push(written.output.report)
    }
    return reports
  }

  /** Removes the report of this server. Never rejects. */
  async leave(): Promise<void> {
    const { client, log } = this.#options
    try {
      if (client.isReady) await client.hDel(KEY, this.#self)
    } catch (error) {
      log.error({ err: error }, 'status: the report of this server was not removed')
    }
  }
}
