import type { FastifyInstance } from 'fastify'
import { AppError } from '#protocol/errors.ts'
import { TRANSPARENCY_CSV } from '#protocol/transparency.ts'
import type { UserEndpoint } from '../../accounts/http/login.ts'
import type { TransparencyRecords } from '../rules/ports.ts'
import { transparencyCsv } from '../rules/transparency-csv.ts'

/** The last published report: for the page, and as a file for machines. */
export function transparencyRoutes(
  endpoint: UserEndpoint,
  app: FastifyInstance,
  records: Pick<TransparencyRecords, 'latest'>,
): void {
  endpoint('readTransparency', async () => ({ report: await records.latest() }))

  app.get(`/${TRANSPARENCY_CSV}`, async (_request, reply) => {
    const report = await records.latest()
    if (!report) throw new AppError('not-found', 'No report is published')
    const name = `transparency-${report.from}-${report.to}.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(transparencyCsv(report))
  })
}
