import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { Account } from '../../accounts/rules/ports.ts'
import { addressPrefix } from '../../platform/rules/subnet.ts'
import type { KeptCases, KeptRecords, Risks } from './ports.ts'
import type { StatusChanges, StatusDeps } from './status-changes.ts'
import { endOf } from './status-table.ts'

export type EarlierAccountDeps = StatusDeps & { risks: Risks; keptCases: KeptCases; keptRecords: KeptRecords }

/** Keeps records of a person when an account is deleted, and gives them to the person's next account. */
export function createEarlierAccounts(deps: EarlierAccountDeps, statuses: StatusChanges) {
  const { accounts, cases, risks, keptCases, keptRecords, clock, policy, digest } = deps
  const { personOf, mailboxDigest } = statuses

  /** Resumes the case that was open when this person deleted an earlier account, and gives the new account its kept records. */
  async function resumeEarlier(accountId: string): Promise<void> {
    const account = await accounts.find(accountId)
    if (!account) return
    await keptRecords.restore(personOf(account), accountId)
    const kept = await keptCases.find(personOf(account), clock.now())
    if (!kept) return
    const { person, status, what, rule, until } = kept
    let isResumed = true
    if (status !== 'Valid' && until !== null && until > clock.now())
      await statuses.change(accountId, ({ account: { status: from } }) => {
        // The status is not Valid if another sign-in has resumed the case, or if this is the earlier account, not erased yet.
        isResumed = from === 'Valid'
        const reason = 'This was open when an earlier account was deleted'
        return isResumed ? { to: status, by: 'earlier-case', what, rule, reason, until } : null
      })
    if (kept.reports + kept.findings > 0) await keptCases.attach(person, accountId)
    else if (isResumed) await keptCases.remove(person)
  }

  return {
    /**
     * Keeps a block or an open case after the account is erased. A case is kept until its status ends, and at least for
     * REVIEW_DAYS if reports or findings are open. Also keeps the person's record as a reporter, and who must not meet
     * the person. To be called before an account is erased; repeated calls do no harm.
     */
    async keepCase(account: Account): Promise<void> {
      const { status } = account
      const person = personOf(account)
      const now = clock.now()
      await keptRecords.keep(account, personOf, now)
      const [lastChange] = await cases.history(account.id)
      const { what = 'reports', rule = 'guidelines' } = lastChange ?? {}
      if (status === 'Blocked') {
        const mailbox = lastChange?.by.kind === 'ban' ? null : mailboxDigest(account)
        await risks.addBan({ person, mailbox, rule, at: now })
        return
      }
      const open = await cases.open(account.id)
      const isOpen = open.reports + open.findings > 0
      if (status === 'Valid' && !isOpen) return
      const until = status === 'Valid' ? null : (lastChange?.until ?? endOf(status, now, policy))
      const expiresAt = Math.max(until ?? 0, isOpen ? now + REVIEW_DAYS * DAY_MS : 0)
      await keptCases.keep({ person, status, what, rule, until, ...open, at: now, expiresAt })
    },

    /** Records the risk signals of a sign-in and blocks a person who was blocked before. `device` is null where unknown. */
    async admit(accountId: string, origin: { address: string; device: string | null }): Promise<void> {
      const prefix = addressPrefix(origin.address)
      const signals = {
        address: prefix && digest(JSON.stringify(['address', prefix])),
        device: origin.device && digest(JSON.stringify(['device', origin.device])),
      }
      await risks.addSignals(accountId, signals, clock.now())
      await statuses.change(accountId, async ({ account }) => {
        if (account.status === 'Blocked') return null
        const rule = await risks.findBan(personOf(account), mailboxDigest(account))
        return rule && { to: 'Blocked', by: 'ban', what: 'earlier-ban', rule, reason: 'Blocked before' }
      })
      await resumeEarlier(accountId)
    },
  }
}
