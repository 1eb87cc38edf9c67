import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import { type ReportsOptions, SharedReports } from '../platform/redis/shared-reports.ts'
import { type HealthReport, healthReportSchema } from './rules/service-status.ts'

/** A server tells its health every 15 s. */
const SILENT_MS = 45_000

type Options = Pick<ReportsOptions<unknown>, 'client' | 'newId' | 'clock'> & { log: Pick<FastifyBaseLogger, 'error'> }

/** Tells the health of this server to those that share its Redis, and reads theirs. */
export function createSharedHealth({ log, ...options }: Options) {
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
