import { DELETION_BUSINESS_DAYS, type PendingDeletion } from '#protocol/deletion.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Stopping } from '../../platform/rules/routine.ts'
import { addBusinessDays } from './business-days.ts'
import type { DeletionCode, DeletionSource, Deletions } from './ports.ts'

/** Due accounts that one query reads. */
const BATCH = 50

/**
 * Runs before an account's data are deleted, to store what must be kept after the deletion. May run more than once for
 * an account, since the server can end before the deletion.
 */
export type BeforeErasure = (account: Account) => Promise<void>

export type DeletionService = ReturnType<typeof createDeletionService>

/** Records deletion requests and erases the accounts when they are due. */
export function createDeletionService(deps: {
  deletions: Deletions
  accounts: Pick<Accounts, 'find'>
  clock: Clock
  /** Days in which the user can cancel a request. */
  delayDays: number
  /** Closes the hub connections of an account. */
  disconnect: (accountId: string) => void
  beforeErasure: readonly BeforeErasure[]
}) {
  const { deletions, accounts, clock, delayDays, disconnect, beforeErasure } = deps

  async function eraseOne(accountId: string): Promise<boolean> {
    const account = await accounts.find(accountId)
    if (account) for (const step of beforeErasure) await step(account)
    const erased = await deletions.erase(accountId, clock.now())
    if (erased) disconnect(accountId)
    return erased
  }

  return {
    delayDays,

    /** Records the request and ends every login of the account at once, including the login that sent the request. */
    async request(
      accountId: string,
      source: DeletionSource,
      code: DeletionCode | null = null,
    ): Promise<PendingDeletion> {
      const requestedAt = clock.now()
      const times = {
        requestedAt,
        startAt: requestedAt + delayDays * DAY_MS,
        dueAt: addBusinessDays(requestedAt, DELETION_BUSINESS_DAYS),
      }
      const pending = await deletions.request(accountId, source, times, code)
      disconnect(accountId)
      return pending
    },

    /**
     * Erases the accounts that are due, one by one, and resolves with their number. A fault of one account is passed to
     * `fault`, and the other accounts are erased.
     */
    async eraseDue(stopping: Stopping, fault: (accountId: string, error: unknown) => void): Promise<number> {
      const failed = new Set<string>()
      let erased = 0
      for (;;) {
        const ready = await deletions.ready(clock.now(), BATCH + failed.size)
        const waiting = ready.filter((id) => !failed.has(id))
        if (waiting.length === 0) return erased
        for (const accountId of waiting) {
          if (stopping()) return erased
          try {
            if (await eraseOne(accountId)) erased += 1
          } catch (error) {
            failed.add(accountId)
            fault(accountId, error)
          }
        }
      }
    },
  }
}
