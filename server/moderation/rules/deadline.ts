import type { BlockStatus } from '#protocol/block-status.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import type { Transition } from './judgement.ts'
import type { ModerationPolicy } from './policy.ts'
import type { StatusChange } from './ports.ts'

/** Returns when a status that begins now ends by itself; null for a status without an end. */
export function endOf(status: BlockStatus, now: number, policy: ModerationPolicy): number | null {
  if (status === 'Warning') return now + policy.warningDays * DAY_MS
  return status === 'Appeal' || status === 'InReview' ? now + REVIEW_DAYS * DAY_MS : null
}

type DueTransition = Transition & { notice: ReviewOutcome | null }

/**
 * Returns the transition at the end of a status. A warning ends in Valid, a suspension in a warning. An appeal that no
 * moderator decided within REVIEW_DAYS ends in a warning too: a late review does not keep the user out.
 */
export function transitionWhenDue({ to, what, rule }: StatusChange): DueTransition | null {
  const ended = { by: 'time', what, rule } as const
  switch (to) {
    case 'Warning':
      return { ...ended, to: 'Valid', reason: 'The warning is over', notice: null }
    case 'Appeal':
      return { ...ended, to: 'Warning', reason: 'The suspension is over', notice: 'ended' }
    case 'InReview': {
      const reason = `No moderator decided within ${REVIEW_DAYS} days`
      return { ...ended, to: 'Warning', what: 'review-late', reason, notice: 'late' }
    }
    default:
      return null
  }
}
