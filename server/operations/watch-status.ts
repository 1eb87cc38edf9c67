import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import type { ServiceStatus } from '#protocol/service-status.ts'
import { type ReportsOptions, SharedReports } from '../platform/redis/shared-reports.ts'
import { type Clock, withinMs } from '../platform/rules/clock.ts'
import { createRounds } from '../platform/rules/routine.ts'
import { type HealthReport, healthReportSchema, type Readiness, type ServiceHealth } from './rules/service-status.ts'

/** How long a status is reused: the dependencies are asked at most once in this time. */
const FRESH_MS = 5_000
/** How often the status is read without a request, so that the beginning of a trouble is known. */
const WATCH_MS = 15_000
/** Time without a report after which another server has ended. */
const SILENT_MS = 45_000
/** Time without a reply after which a dependency counts as away; no request for the status waits longer. */
const REPLY_MS = 3_000
/** The longest wait for the reports of other servers. */
const EXCHANGE_MS = 1_000

type SharedOptions = Pick<ReportsOptions<unknown>, 'client' | 'newId' | 'clock'> & {
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Exchanges health reports with the servers that share the Redis of this server. */
export function createSharedHealth({ log, ...options }: SharedOptions) {
  const schema = v.object({ report: healthReportSchema })
  const reports = new SharedReports({ ...options, key: '{waggle-health}', silentMs: SILENT_MS, schema })
  return {
    /** Resolves with the reports of the other servers. Rejects while Redis is away. */
    async exchange(report: HealthReport): Promise<HealthReport[]> {
      return (await reports.exchange({ report })).map((other) => other.report)
    },

    /** Removes the report of this server. Never rejects. */
    async leave(): Promise<void> {
      await reports
        .leave()
        .catch((error: unknown) => log.error({ err: error }, 'status: the report of this server was not removed'))
    },
  }
}
type SharedHealth = ReturnType<typeof createSharedHealth>

type WatchDeps = {
  health: ServiceHealth
  clock: Clock
  log: Pick<FastifyBaseLogger, 'error'>
  database: { ping(): Promise<unknown> }
  /** Null for a server without other servers. */
  redis: { ping(): Promise<unknown> } | null
  /** Exchanges health reports with the other servers; null for a server without other servers. */
  shared: Pick<SharedHealth, 'exchange'> | null
  /** How many users wait for a match. */
  waiting: () => number
}

/** Never rejects. */
async function isUp(clock: Clock, ping: Promise<unknown>): Promise<boolean> {
  const reply = withinMs(ping, { clock, ms: REPLY_MS, onLate: () => new Error('no reply') })
  return reply.then(
    () => true,
    () => false,
  )
}

/** Reads the state of the service on request and every `WATCH_MS`, and reports this server's health to the other servers. */
export function watchStatus({ health, clock, log, database, redis, shared, waiting }: WatchDeps) {
  let last: { status: Promise<ServiceStatus>; at: number } | null = null

  async function readiness(): Promise<Readiness> {
    const [hasDatabase, hasRedis] = await Promise.all([
      isUp(clock, database.ping()),
      redis === null ? true : isUp(clock, redis.ping()),
    ])
    return { hasDatabase, hasRedis, waiting: waiting() }
  }

  /** Resolves with no reports while the other servers cannot be reached; the status is then by this server's report only. */
  async function others(own: Readiness): Promise<HealthReport[]> {
    if (!shared || !own.hasRedis) return []
    const onLate = () => new Error('The other servers took too long')
    const reports = withinMs(shared.exchange(health.report(own, clock.now())), { clock, ms: EXCHANGE_MS, onLate })
    return reports.catch(() => [])
  }

  async function readNow(): Promise<ServiceStatus> {
    const own = await readiness()
    return health.status(own, await others(own), clock.now())
  }

  function read(): Promise<ServiceStatus> {
    const now = clock.now()
    if (!last || Math.abs(now - last.at) >= FRESH_MS) last = { status: readNow(), at: now }
    return last.status
  }

  const routine = createRounds(clock, WATCH_MS, read, (error) =>
    log.error({ err: error }, 'status: the state of the service was not read'),
  )
  return { read, routine }
}
