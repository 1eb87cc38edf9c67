import * as v from 'valibot'

/** Codes of moderation that server, dashboard and console share; each side has its own words for them. */

/** The community guidelines by key. A report names none, so what rests on reports alone stands on 'guidelines'. */
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

/** What a status rests on. */
export const causeSchema = v.picklist([
  'reports',
  'frames',
  'age',
  'moderator',
  'earlier-ban',
  /** Our own review was not done in time. */
  'review-late',
])
export type Cause = v.InferOutput<typeof causeSchema>

/** What happens next: the warning ends by itself; an appeal may be sent; a person decides; nothing. */
const nextStepSchema = v.picklist(['warning-ends', 'may-appeal', 'under-review', 'final'])
export type NextStep = v.InferOutput<typeof nextStepSchema>

/** Why somebody's status is what it is. Times are milliseconds since 1970; `until` null is for good. */
export const blockCaseSchema = v.object({
  what: causeSchema,
  rule: ruleSchema,
  since: v.number(),
  until: v.nullable(v.number()),
  next: nextStepSchema,
})
export type BlockCase = v.InferOutput<typeof blockCaseSchema>

/** How a time of being kept out ended: as a moderator decided, by itself, or because our review was late. */
export const reviewOutcomeSchema = v.picklist(['restored', 'warned', 'suspended', 'blocked', 'ended', 'late'])
export type ReviewOutcome = v.InferOutput<typeof reviewOutcomeSchema>

/** Waits for its person's next visit. */
export const caseNoticeSchema = v.object({ outcome: reviewOutcomeSchema, at: v.number() })
export type CaseNotice = v.InferOutput<typeof caseNoticeSchema>

/** The answer of a moderator to a case. */
export const verdictSchema = v.picklist(['dismiss', 'warn', 'suspend', 'block', 'restore'])
export type Verdict = v.InferOutput<typeof verdictSchema>
