import type { BlockStatus } from '#protocol/fields.ts'
import type { BlockCase, NextStep } from '#protocol/moderation.ts'
import type { StatusChange } from './ports.ts'

const nextSteps: Partial<Record<BlockStatus, NextStep>> = {
  Warning: 'warning-ends',
  Appeal: 'may-appeal',
  InReview: 'under-review',
  Blocked: 'final',
}

/** What the person may know of the change that made their status what it is; null while all is well. */
export function blockCaseOf(standing: StatusChange): BlockCase | null {
  const { to, what, rule, at, until } = standing
  const next = nextSteps[to]
  return next ? { what, rule, since: at, until, next } : null
}
