import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { monthSchema } from '#protocol/transparency.ts'
import { timesOf } from './rules/period.ts'
import type { TransparencyRecords } from './rules/ports.ts'
import { transparencyCsv } from './rules/transparency-csv.ts'
import { contentNoticeRows, transparencyRows } from './rules/transparency-report.ts'

/** The operator command for transparency reports; `to` is the last month. */
export const transparencyCommand = v.object({
  do: v.literal('transparency'),
  action: v.picklist(['print', 'publish', 'withdraw']),
  from: monthSchema,
  to: monthSchema,
})
export type TransparencyCommand = v.InferOutput<typeof transparencyCommand>

/** Resolves with the text for the operator: the report as CSV, or what was done. Rejects with an AppError whose message is for the operator. */
export async function runTransparencyCommand(
  { action, from, to }: TransparencyCommand,
  records: TransparencyRecords,
  now: number,
): Promise<string> {
  const period = { from, to }
  if (from > to) throw new AppError('bad-request', 'The first month comes after the last one')
  if (action === 'withdraw') {
    if (!(await records.withdraw(period))) throw new AppError('not-found', `${from} to ${to} is not published`)
    return `${from} to ${to} is no longer published. Its months can be published only as ${from} to ${to} again: whoever kept the report could subtract it from another one.`
  }
  const { start, end } = timesOf(period)
  // The report of an unfinished period could be subtracted from that of the whole period.
  if (action === 'publish' && end > now) throw new AppError('wrong-state', `${to} is not over`)
  const [notices, contentNotices, changes] = await Promise.all([
    records.notices(start, end),
    records.contentNotices(start, end),
    records.changes(start),
  ])
  const report = {
    ...period,
    publishedAt: now,
    rows: [...transparencyRows(period, notices, changes), ...contentNoticeRows(period, contentNotices)],
  }
  if (action === 'publish') {
    const other = await records.publish(report)
    if (other?.from === from && other.to === to) throw new AppError('wrong-state', `${from} to ${to} is published`)
    if (other)
      throw new AppError(
        'wrong-state',
        `${other.from} to ${other.to} was published: the difference would show small counts`,
      )
  }
  return transparencyCsv(report)
}
