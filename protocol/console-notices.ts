import * as v from 'valibot'
import { contentNoticeKindSchema, contentNoticeOutcomeSchema, noticeTextSchema } from './content-notices.ts'
import { DAY_MS } from './durations.ts'
import { type Endpoint, get, post } from './endpoint.ts'
import { idSchema } from './fields.ts'
import { recordsOf } from './parse.ts'

/** Content notices at the console: a part of the table in console.ts. */

/** Notices that are due within this time, or overdue, are shown at the top of the console. */
export const CONTENT_NOTICE_NEAR_MS = DAY_MS

const id = idSchema('An id')

const time = v.number()

const summarySchema = v.object({
  id: v.string(),
  reference: v.string(),
  kind: contentNoticeKindSchema,
  at: time,
  dueAt: time,
})
export type ContentNoticeSummary = v.InferOutput<typeof summarySchema>

/**
 * State of the email with the answer. `off`: no mail server is configured. `failed`: the address was refused, or the
 * mail server accepted nothing for days.
 */
const emailStateSchema = v.picklist(['off', 'waiting', 'sent', 'failed'])
export type NoticeEmailState = v.InferOutput<typeof emailStateSchema>

/** Anybody can write description and link, so they are not trusted. `day` and `time` are those of the person's calendar and clock. */
const openedSchema = v.object({
  ...summarySchema.entries,
  email: v.string(),
  day: v.string(),
  time: v.nullable(v.string()),
  description: v.string(),
  link: v.nullable(v.string()),
  /** The typed name of the person; null where the notice is not signed. Servers of earlier versions send none. */
  signature: v.optional(v.nullable(v.string()), null),
  isGoodFaith: v.optional(v.boolean(), false),
  answer: v.nullable(
    v.object({ outcome: contentNoticeOutcomeSchema, text: v.string(), at: time, moderator: v.string() }),
  ),
  /** Before an answer: `off`, or `waiting` where the answer will be sent. */
  emailState: emailStateSchema,
})
export type OpenedContentNotice = v.InferOutput<typeof openedSchema>

export const consoleNoticeEndpoints = {
  /** The first notices without an answer, by deadline; `open` is the number of all notices without an answer. */
  readContentNotices: get('moderation/content-notices', {
    response: v.object({ notices: recordsOf(summarySchema), open: v.number() }),
  }),
  /** A POST because opening a notice is recorded in the audit. */
  openContentNotice: post('moderation/content-notice', {
    json: v.object({ id }),
    response: openedSchema,
    again: 'repeatable',
  }),
  /** Rejected with `wrong-state` if the notice has an answer. */
  answerContentNotice: post('moderation/content-notice/answer', {
    json: v.object({ id, outcome: contentNoticeOutcomeSchema, text: noticeTextSchema('An answer') }),
    response: openedSchema,
  }),
} satisfies Record<string, Endpoint>
