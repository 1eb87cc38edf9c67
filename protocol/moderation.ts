import * as v from 'valibot'
import { blockStatuses } from './block-status.ts'

/** Codes of moderation that server, dashboard and console share; each side has its own texts for them. */

export const blockStatusSchema = v.picklist(blockStatuses)

/** The community guidelines by key. A report names no rule, so a status caused by reports alone has 'guidelines'. */
export const ruleSchema = v.picklist([
  'guidelines',
  'be-respectful',
  'no-explicit-content',
  'no-personal-data',
  'no-recording',
  'no-spam',
  'no-impersonation',
  'no-scams',
  'no-illegal-activity',
  'no-ban-evasion',
  'adults-only',
])
export type Rule = v.InferOutput<typeof ruleSchema>

export const causeSchema = v.picklist([
  'reports',
  'frames',
  'age',
  'moderator',
  'earlier-ban',
  /** The review was not done in time. */
  'review-late',
])
export type Cause = v.InferOutput<typeof causeSchema>

/** What happens next: the warning expires, the user may appeal, a moderator decides, or nothing. */
const nextStepSchema = v.picklist(['warning-ends', 'may-appeal', 'under-review', 'final'])
export type NextStep = v.InferOutput<typeof nextStepSchema>

/** Why a user has their status. Times are milliseconds since 1970; a null `until` means permanently. */
export const blockCaseSchema = v.object({
  what: causeSchema,
  rule: ruleSchema,
  since: v.number(),
  until: v.nullable(v.number()),
  next: nextStepSchema,
})
export type BlockCase = v.InferOutput<typeof blockCaseSchema>

/** How a restriction of a user ended: by a moderator's decision, by expiry ('ended'), or because the review was late. */
export const reviewOutcomeSchema = v.picklist(['restored', 'warned', 'suspended', 'blocked', 'ended', 'late'])
export type ReviewOutcome = v.InferOutput<typeof reviewOutcomeSchema>

/** Shown to the user on their next visit. */
export const caseNoticeSchema = v.object({ outcome: reviewOutcomeSchema, at: v.number() })
export type CaseNotice = v.InferOutput<typeof caseNoticeSchema>

/** A moderator's decision on a case. */
export const verdictSchema = v.picklist(['dismiss', 'warn', 'suspend', 'block', 'restore'])
export type Verdict = v.InferOutput<typeof verdictSchema>
