import type { BlockStatus } from '#protocol/block-status.ts'
import type { BlockCase, NextStep } from '#protocol/moderation.ts'
import type { StatusChange } from './ports.ts'

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
