import type { BlockStatus } from '#protocol/fields.ts'
import type { ReviewOutcome, Verdict } from '#protocol/moderation.ts'
import type { CaseOutcome, StatusChange } from './ports.ts'

/** Moderators and time alone give somebody a fresh start: what was known before it does not count any more. */
export function freshStart(history: readonly StatusChange[]): number {
  const start = history.find(
    ({ to, by }) => (to === 'Valid' || to === 'Warning') && (by.kind === 'moderator' || by.kind === 'time'),
  )
  return start ? start.at + 1 : 0
}

/** The status a verdict leads to; null where it makes no sense. `standing` is the change that made the status what it is. */
export function statusAfterVerdict(
  verdict: Verdict,
  status: BlockStatus,
  standing: StatusChange | null,
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
      // New reports that were wrong do not undo what a moderator said of earlier ones.
      return status === 'Warning' && standing?.by.kind !== 'policy' ? 'Warning' : 'Valid'
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

/** What somebody is told who was kept out; null for anybody else, whose panel says enough. */
export function toldAfter(from: BlockStatus, to: BlockStatus): ReviewOutcome | null {
  return from === 'Valid' || from === 'Warning' ? null : (outcomes[to] ?? null)
}
