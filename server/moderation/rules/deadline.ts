import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import type { Step } from './judgement.ts'
import type { ModerationPolicy } from './policy.ts'
import type { StatusChange } from './ports.ts'

/** When a status that begins now ends by itself; null for one that does not. */
export function endOf(status: BlockStatus, now: number, policy: ModerationPolicy): number | null {
  if (status === 'Warning') return now + policy.warningDays * DAY_MS
  return status === 'Appeal' || status === 'InReview' ? now + REVIEW_DAYS * DAY_MS : null
}

/**
 * What happens when that end has come. A warning is over. A suspension that was called temporary ends in a warning, and so does a
 * review that we promised within ten days and did not make: nobody is kept out for our being late.
 */
export function stepWhenDue({ to, what, rule }: StatusChange): (Step & { tells: ReviewOutcome | null }) | null {
  switch (to) {
    case 'Warning':
      return { to: 'Valid', by: 'time', what, rule, reason: 'The warning is over', tells: null }
    case 'Appeal':
      return { to: 'Warning', by: 'time', what, rule, reason: 'The suspension is over', tells: 'ended' }
    case 'InReview':
      return {
        to: 'Warning',
        by: 'time',
        what: 'review-late',
        rule,
        reason: `No moderator decided within ${REVIEW_DAYS} days`,
        tells: 'late',
      }
    default:
      return null
  }
}
