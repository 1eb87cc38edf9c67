import type { BlockStatus } from '#protocol/block-status.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import type { Account } from '../../../server/accounts/rules/ports.ts'
import type { ActorKind, StatusChange } from '../../../server/moderation/rules/ports.ts'
import type { Store } from './store.ts'

/** Resolves with the account of a sign-in with this email, without a server. */
export function accountOf({ accounts }: Store, email: string): Promise<Account> {
  return accounts.signIn({ provider: 'Google', subject: email, email, firstName: '', lastName: '' }, 0)
}

const actorKinds: Record<BlockStatus, ActorKind> = {
  Valid: 'moderator',
  Warning: 'policy',
  Appeal: 'policy',
  InReview: 'user',
  Blocked: 'moderator',
}

/** Sets the status of an account as a decision of moderation does. `notice` waits for the person's next visit. */
export async function putStatus(
  store: Store,
  { id, status: from }: Account,
  to: BlockStatus,
  given: Partial<StatusChange> = {},
  notice: ReviewOutcome | null = null,
): Promise<void> {
  const by = { kind: actorKinds[to], id: null }
  const why = { what: 'reports', rule: 'guidelines', reason: 'test', at: 0, until: null } as const
  const change: StatusChange = { accountId: id, from, to, by, ...why, ...given }
  const noEffects = {
    closes: null,
    notice,
    sendEmail: false,
    person: `person ${id}`,
    mailbox: `mailbox ${id}`,
    signalsUntil: 0,
  }
  if (!(await store.cases.change(change, noEffects))) throw new Error('the status has changed meanwhile')
}
