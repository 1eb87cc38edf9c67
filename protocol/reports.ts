import * as v from 'valibot'
import { HOUR_MS } from './durations.ts'

/** What a report says about the peer. Each message names its field and never quotes what was sent: the note is personal data. */

export const reportReasons = [
  'nudity',
  'harassment',
  'under-18',
  'violence',
  'spam',
  'intimate-without-consent',
  'other',
] as const
export const reportReasonSchema = v.picklist(reportReasons, `reason: it is one of ${reportReasons.join(', ')}`)
export type ReportReason = v.InferOutput<typeof reportReasonSchema>

/** Reasons of the reports that moderators must decide first, and the time from the report within which they decide. */
export const priorityReasonSchema = v.picklist(['under-18', 'intimate-without-consent'])
export type PriorityReason = v.InferOutput<typeof priorityReasonSchema>
export const priorityReviewMs: Record<PriorityReason, number> = {
  'under-18': 24 * HOUR_MS,
  'intimate-without-consent': 48 * HOUR_MS,
}

export const REPORT_NOTE_MAX = 200
const MODEL_NAME_MAX = 64
/** Most looks of one call: one a second for longer than a day. */
const LOOKS_MAX = 100_000

/** A text of at most `max` characters in one line. */
const lineSchema = (field: string, max: number) =>
  v.pipe(
    v.string(`${field}: it is text`),
    v.maxLength(max, `${field}: it has at most ${max} characters`),
    v.transform(oneLine),
  )

/**
 * Replaces control characters, halves of surrogate pairs and marks of direction by spaces. PostgreSQL stores neither
 * NUL nor such halves, and marks of direction would change how the console's own text reads.
 */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').trim()
}

const countSchema = (field: string) => {
  const message = `curtain.${field}: it is a whole number from 0 to ${LOOKS_MAX}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(0, message), v.maxValue(LOOKS_MAX, message))
}
/** What the safety check of the reporter's device saw in this call: its model, and how many of its looks it flagged. */
export const curtainSeenSchema = v.pipe(
  v.object(
    {
      model: lineSchema('curtain.model', MODEL_NAME_MAX),
      flagged: countSchema('flagged'),
      looks: countSchema('looks'),
    },
    'curtain: it is an object with model, flagged and looks',
  ),
  v.check(({ flagged, looks }) => flagged <= looks, 'curtain.flagged: it is at most curtain.looks'),
)
export type CurtainSeen = v.InferOutput<typeof curtainSeenSchema>

export const reportDetailsSchema = v.object(
  {
    reason: reportReasonSchema,
    /** The reporter's own words: personal data, for moderators alone. */
    note: v.optional(lineSchema('note', REPORT_NOTE_MAX)),
    /** Sent only with the reporter's consent. */
    curtain: v.optional(curtainSeenSchema),
  },
  (issue) =>
    issue.path ? 'reason: it is missing' : 'details: it is an object with reason, and perhaps note and curtain',
)
export type ReportDetails = v.InferOutput<typeof reportDetailsSchema>
