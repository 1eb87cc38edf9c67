import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import type { ReviewOutcome, Verdict } from '#protocol/moderation.ts'
import type { CaseOutcome, StatusChange } from './ports.ts'

/** Returns the time from which reports and findings count: after the last change to Valid or Warning by a moderator or by time, else 0. */
export function countsSince(history: readonly StatusChange[]): number {
  const start = history.find(({ to, by }) => mayChat(to) && (by.kind === 'moderator' || by.kind === 'time'))
  return start ? start.at + 1 : 0
}

/** Returns the status to which a verdict leads; null for a verdict that does not fit `status`. `lastChange` led to `status`. */
export function statusAfterVerdict(
  verdict: Verdict,
  status: BlockStatus,
  lastChange: StatusChange | null,
): BlockStatus | null {
  if (verdict === 'restore') return status === 'Valid' ? null : 'Valid'
  if (status === 'Blocked') return null
  switch (verdict) {
    case 'warn':
      return 'Warning'
    case 'suspend':
      return 'Appeal'
    case 'block':
      return 'Blocked'
    case 'dismiss':
      // To dismiss wrong new reports does not lift a moderator's warning about earlier ones.
      return status === 'Warning' && lastChange?.by.kind !== 'policy' ? 'Warning' : 'Valid'
    default:
      return verdict satisfies never
  }
}

export function outcomeOf(verdict: Verdict): CaseOutcome {
  return verdict === 'dismiss' || verdict === 'restore' ? 'dismissed' : 'upheld'
}

const outcomes: Partial<Record<BlockStatus, ReviewOutcome>> = {
  Valid: 'restored',
  Warning: 'warned',
  Appeal: 'suspended',
  Blocked: 'blocked',
}

/** Returns the notice for a user who could not chat before the change; null for any other user, who sees the change on the status page. */
export function noticeAfter(from: BlockStatus, to: BlockStatus): ReviewOutcome | null {
  return mayChat(from) ? null : (outcomes[to] ?? null)
}
