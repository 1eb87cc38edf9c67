import * as v from 'valibot'
import { noticeTextSchema } from './content-notices.ts'
import { type Endpoint, get, post } from './endpoint.ts'
import { idSchema } from './fields.ts'
import { recordOf, recordsOf } from './parse.ts'
import { reportReasonSchema } from './reports.ts'

/** Preservations of cases of apparent child abuse for the authorities: a part of the table in console.ts. */

export const AUTHORITY_MAX = 200
/** Most headings in a report for an authority; a report has nine. */
const HEADINGS_MAX = 40

/** Incident types as the CyberTipline of NCMEC names them: those that can happen in a call. */
export const incidentTypeSchema = v.picklist(
  [
    'Child Pornography (possession, manufacture, and distribution)',
    'Child Sexual Molestation',
    'Online Enticement of Children for Sexual Acts',
    'Unsolicited Obscene Material Sent to a Child',
    'Child Sex Trafficking',
  ],
  'An incident type is needed',
)

const id = idSchema('An id')
const ofOne = v.object({ id })
const time = v.number()

const lineSchema = (name: string) =>
  v.pipe(
    v.string(`${name} is needed`),
    v.trim(),
    v.nonEmpty(`${name} is needed`),
    v.maxLength(AUTHORITY_MAX, `${name} has at most ${AUTHORITY_MAX} characters`),
    v.regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, `${name} has no control characters`),
  )

const summarySchema = v.object({
  id: v.string(),
  /** Twelve hexadecimal digits. */
  receipt: v.string(),
  /** The case may have been deleted with its account. */
  caseId: v.string(),
  incidentType: incidentTypeSchema,
  openedBy: v.string(),
  openedAt: time,
  /** The second moderator, who has confirmed the preservation. While null, nothing can be exported. */
  confirmedBy: v.nullable(v.string()),
  confirmedAt: v.nullable(time),
  /** The authority to which the case was reported, and its reference number there; null until a moderator has entered them. */
  authority: v.nullable(v.string()),
  authorityReference: v.nullable(v.string()),
  sentBy: v.nullable(v.string()),
  sentAt: v.nullable(time),
  /** When the server deletes the preservation. */
  endsAt: time,
})
export type Preservation = v.InferOutput<typeof summarySchema>

/** What the second moderator examines. `jpeg` is in base64, null if the picture did not match its signature. */
const openedSchema = v.object({
  ...summarySchema.entries,
  incidentAt: time,
  seen: v.string(),
  people: v.number(),
  reports: recordsOf(
    v.object({ at: time, reason: v.nullable(reportReasonSchema), note: v.nullable(v.string()), session: v.string() }),
  ),
  pictures: recordsOf(
    v.object({ id: v.string(), kind: v.string(), at: time, sha256: v.string(), jpeg: v.nullable(v.string()) }),
  ),
})
export type OpenedPreservation = v.InferOutput<typeof openedSchema>

/** Everything but `readPreservations` is a POST, because it is recorded in the audit. */
export const consolePreservationEndpoints = {
  /** The newest 100. */
  readPreservations: get('moderation/preservations', {
    response: v.object({ preservations: recordsOf(summarySchema) }),
  }),
  /** Copies everything that is stored about the case as it is now. */
  preserveCase: post('moderation/preserve', {
    json: v.object({
      caseId: id,
      incidentType: incidentTypeSchema,
      /** The moderator's own words. */
      seen: noticeTextSchema('What was seen'),
    }),
    response: summarySchema,
  }),
  openPreservation: post('moderation/preservation', { json: ofOne, response: openedSchema, again: 'repeatable' }),
  /**
   * The judgement of a second moderator. If `isRight` is false, the preservation is deleted and the response is null.
   * Rejected with `wrong-state` for the moderator who opened the preservation, and for a confirmed preservation.
   */
  judgePreservation: post('moderation/preservation/judge', {
    json: v.object({ id, isRight: v.boolean('A judgement is needed') }),
    response: v.object({ preservation: v.nullable(summarySchema) }),
  }),
  /**
   * Rejected with `wrong-state` until a second moderator has confirmed the preservation. `report` has the headings of a
   * CyberTipline report.
   */
  exportPreservation: post('moderation/preservation/export', {
    json: ofOne,
    response: v.object({ report: recordOf(v.unknown(), HEADINGS_MAX) }),
    again: 'repeatable',
  }),
  /** Rejected with `wrong-state` unless the preservation is confirmed and not yet recorded as sent. */
  recordPreservationSent: post('moderation/preservation/sent', {
    json: v.object({
      id,
      authority: lineSchema('An authority'),
      authorityReference: lineSchema('A reference'),
    }),
    response: summarySchema,
  }),
} satisfies Record<string, Endpoint>
