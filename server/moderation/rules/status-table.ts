import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { BlockCase, NextStep, ReviewOutcome, Rule } from '#protocol/moderation.ts'
import type { Transition } from './judgement.ts'
import type { ModerationPolicy } from './policy.ts'
import type { ActorKind, StatusChange } from './ports.ts'

type Row = { from: BlockStatus; to: BlockStatus; by: readonly ActorKind[] }

/** All permitted transitions, and who may cause them. Only a date of birth and an earlier block lead to Blocked without a moderator. */
export const statusTable: readonly Row[] = [
  { from: 'Valid', to: 'Warning', by: ['policy', 'earlier-case', 'moderator'] },
  { from: 'Valid', to: 'Appeal', by: ['policy', 'classifier', 'earlier-case', 'moderator'] },
  { from: 'Valid', to: 'InReview', by: ['earlier-case'] },
  { from: 'Valid', to: 'Blocked', by: ['age', 'ban', 'moderator'] },
  { from: 'Warning', to: 'Valid', by: ['time', 'moderator'] },
  { from: 'Warning', to: 'Warning', by: ['moderator'] },
  { from: 'Warning', to: 'Appeal', by: ['policy', 'classifier', 'moderator'] },
  { from: 'Warning', to: 'Blocked', by: ['age', 'ban', 'moderator'] },
  { from: 'Appeal', to: 'Valid', by: ['moderator'] },
  { from: 'Appeal', to: 'Warning', by: ['time', 'moderator'] },
  { from: 'Appeal', to: 'Appeal', by: ['moderator'] },
  { from: 'Appeal', to: 'InReview', by: ['user'] },
  { from: 'Appeal', to: 'Blocked', by: ['age', 'ban', 'moderator'] },
  { from: 'InReview', to: 'Valid', by: ['moderator'] },
  { from: 'InReview', to: 'Warning', by: ['time', 'moderator'] },
  { from: 'InReview', to: 'Appeal', by: ['moderator'] },
  { from: 'InReview', to: 'Blocked', by: ['age', 'ban', 'moderator'] },
  { from: 'Blocked', to: 'Valid', by: ['moderator'] },
  // A block by age replaces the rule of the earlier block.
  { from: 'Blocked', to: 'Blocked', by: ['age'] },
]

/** `currentRule` is the rule of the present status: a minor stays blocked until the date of birth is corrected to that of an adult. */
export function mayChange(from: BlockStatus, to: BlockStatus, by: ActorKind, currentRule: Rule | null): boolean {
  if (from === 'Blocked' && currentRule === 'adults-only') return to === 'Valid' && by === 'age'
  return statusTable.some((row) => row.from === from && row.to === to && row.by.includes(by))
}

/** True for a block that a date of birth alone caused, here or under an earlier account: to lift it lifts no other block or suspension. */
export function isForBirthAlone(change: StatusChange | null): boolean {
  if (change?.to !== 'Blocked' || change.rule !== 'adults-only') return false
  return ['age', 'ban'].includes(change.by.kind) && mayChat(change.from)
}

const nextSteps: Partial<Record<BlockStatus, NextStep>> = {
  Warning: 'warning-ends',
  Appeal: 'may-appeal',
  InReview: 'under-review',
  Blocked: 'final',
}

/** Returns what the user is shown about the change that led to the present status; null for the status Valid. */
export function blockCaseOf(lastChange: StatusChange): BlockCase | null {
  const { to, what, rule, at, until } = lastChange
  const next = nextSteps[to]
  return next ? { what, rule, since: at, until, next } : null
}

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
