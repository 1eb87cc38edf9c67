import type { FastifyInstance } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { TRANSPARENCY_CSV } from '#protocol/transparency.ts'
import type { UserEndpoint } from '../accounts/http/login.ts'
import type { Platform } from '../platform/platform.ts'
import { createTransparencyRecords } from './records/transparency-records.ts'
import type { TransparencyRecords } from './rules/ports.ts'
import { transparencyCsv } from './rules/transparency-csv.ts'

/** Serves the last published report to the page, and as a CSV file. */
function serveLatest(endpoint: UserEndpoint, app: FastifyInstance, { latest }: TransparencyRecords): void {
  endpoint('readTransparency', async () => ({ report: await latest() }))

  app.get(`/${TRANSPARENCY_CSV}`, async (_request, reply) => {
    const report = await latest()
    if (!report) throw new AppError('not-found', 'No report is published')
    const name = `transparency-${report.from}-${report.to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(transparencyCsv(report))
  })
}

/** Transparency reports: computed and published by the operator's command, and served to everybody. */
export function composeTransparency({ database }: Platform) {
  const { transparency } = database.records(createTransparencyRecords)
  return {
    records: transparency,
    endpoints: (endpoint: UserEndpoint, app: FastifyInstance) => serveLatest(endpoint, app, transparency),
  }
}
