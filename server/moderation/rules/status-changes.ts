import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { ReviewOutcome } from '#protocol/moderation.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Transition } from './judgement.ts'
import { mailboxOf } from './mailbox.ts'
import type { ModerationPolicy } from './policy.ts'
import type { CaseOutcome, Cases, StatusChange } from './ports.ts'
import { endOf, mayChange } from './status-table.ts'

export type StatusDeps = {
  accounts: Pick<Accounts, 'find'>
  cases: Cases
  clock: Pick<Clock, 'now'>
  policy: ModerationPolicy
  /** A keyed one-way function. */
  digest: (text: string) => string
  onChanged: (accountId: string) => void
  /** Receives an account that may no longer chat, to end its connections. */
  onSuspended: (accountId: string) => void
  sendEmail: boolean
}

type PlannedTransition = Transition & {
  /** The account or the moderator that causes the change. */
  actor?: string
  closes?: CaseOutcome
  notice?: ReviewOutcome | null
  /** End of the new status, if it differs from the usual end. */
  until?: number
}
export type AccountCase = { account: Account; lastChange: StatusChange | null; history: StatusChange[] }

/** Returns the transition of a case in its present status; null for no transition. */
type Plan = (current: AccountCase) => PlannedTransition | null | Promise<PlannedTransition | null>

export type StatusChanges = ReturnType<typeof createStatusChanges>

/** Changes statuses: each change is checked against the status table, recorded, and put into effect at once. */
export function createStatusChanges(deps: StatusDeps) {
  const { accounts, cases, clock, policy, digest, onChanged, onSuspended, sendEmail } = deps

  function personOf({ provider, subject }: Pick<Account, 'provider' | 'subject'>): string {
    return digest(JSON.stringify(['person', provider, subject]))
  }

  function mailboxDigest({ email }: Account): string {
    return digest(JSON.stringify(['mailbox', mailboxOf(email)]))
  }

  async function readCase(accountId: string): Promise<AccountCase> {
    const account = await accounts.find(accountId)
    if (!account) throw new AppError('not-found', 'There is no such account')
    const history = await cases.history(accountId)
    return { account, history, lastChange: history[0] ?? null }
  }

  /** Throws `wrong-state` for a transition that is not in the table. Resolves with false when the status changed in the meantime. */
  async function apply({ account, lastChange }: AccountCase, planned: PlannedTransition): Promise<boolean> {
    const { to, by, what, rule, reason, actor = null, closes = null, notice = null } = planned
    const { id: accountId, status: from } = account
    if (!mayChange(from, to, by, lastChange?.rule ?? null))
      throw new AppError('wrong-state', `The ${by} may not change ${from} to ${to}`)
    const at = clock.now()
    const until = planned.until ?? endOf(to, at, policy)
    const change = { accountId, from, to, by: { kind: by, id: actor }, what, rule, reason, at, until }
    const signalsUntil = at + policy.riskSignalDays * DAY_MS
    const who = { person: personOf(account), mailbox: mailboxDigest(account) }
    if (!(await cases.change(change, { closes, notice, sendEmail, ...who, signalsUntil }))) return false
    onChanged(accountId)
    if (!mayChat(to)) onSuspended(accountId)
    return true
  }

  /** Applies the transition that `plan` returns, and plans again when the status changed in the meantime. Resolves with the status. */
  async function change(accountId: string, plan: Plan): Promise<BlockStatus> {
    for (;;) {
      const current = await readCase(accountId)
      const planned = await plan(current)
      if (!planned) return current.account.status
      if (await apply(current, planned)) return planned.to
    }
  }

  return {
    personOf,
    mailboxDigest,
    change,

    /** Makes an automatic change; ignores an account that was deleted in the meantime. */
    async changeUnlessDeleted(accountId: string, plan: Plan): Promise<void> {
      try {
        await change(accountId, plan)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'not-found')) throw error
      }
    },
  }
}
