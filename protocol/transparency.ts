import * as v from 'valibot'
import { contentNoticeKindSchema, contentNoticeOutcomeSchema } from './content-notices.ts'
import { get } from './endpoint.ts'
import { knownRecordsOf } from './parse.ts'
import { reportReasons } from './reports.ts'

/** The transparency report: counts of reports, decisions, complaints and their durations, for a period of whole months. */

export const monthSchema = v.pipe(
  v.string('A month is needed'),
  v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'A month is written as 2026-01'),
)

const indicatorSchema = v.picklist([
  'notices-received',
  'notices-decided',
  'notices-median',
  'content-notices-received',
  'content-notices-decided',
  'content-notices-median',
  'restrictions',
  'complaints',
  'complaints-median',
  'automated-share',
  'automated-errors',
])
export type Indicator = v.InferOutput<typeof indicatorSchema>

/** Why a report was made. `not-stated`: an older client sent the report, or the report names no reason. */
export const noticeScopes = [...reportReasons, 'not-stated'] as const
/** Notices of people without an account: what they are about, and the answers. */
export const contentNoticeScopes = contentNoticeKindSchema.options
export const contentNoticeAnswerScopes = contentNoticeOutcomeSchema.options
export const decisionScopes = ['action', 'no-action'] as const
/**
 * Restrictions by who decided and by the new status; automatic restrictions also by the cause. Decisions on complaints
 * are not counted here.
 */
export const restrictionScopes = [
  'automatic-notices-warning',
  'automatic-notices-suspension',
  'automatic-own-suspension',
  'automatic-own-block',
  'moderator-warning',
  'moderator-suspension',
  'moderator-block',
  'moderator-restoration',
] as const
export const complaintScopes = ['reversed', 'reduced', 'kept', 'late', 'pending'] as const

const scopeSchema = v.picklist([
  'total',
  ...noticeScopes,
  ...contentNoticeScopes,
  ...contentNoticeAnswerScopes,
  ...decisionScopes,
  ...restrictionScopes,
  ...complaintScopes,
])
export type TransparencyScope = v.InferOutput<typeof scopeSchema>

const rowSchema = v.object({
  indicator: indicatorSchema,
  scope: scopeSchema,
  /** A count, hours or per cent. Null for a count from 1 to 4, for a value that would reveal such a count, and where there is no value. */
  value: v.nullable(v.number()),
})
export type TransparencyRow = v.InferOutput<typeof rowSchema>

export const transparencyReportSchema = v.object({
  from: monthSchema,
  to: monthSchema,
  publishedAt: v.number(),
  rows: knownRecordsOf(rowSchema),
})
export type TransparencyReport = v.InferOutput<typeof transparencyReportSchema>

/** The last published report; null before the first. */
export const readTransparency = get('transparency/get', {
  login: false,
  response: v.object({ report: v.nullable(transparencyReportSchema) }),
})

/** Where the last published report is served as CSV, below API_BASE. */
export const TRANSPARENCY_CSV = 'transparency/csv'
