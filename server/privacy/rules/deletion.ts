import { DAY_MS } from '#protocol/durations.ts'
import { DELETION_BUSINESS_DAYS, type PendingDeletion } from '#protocol/my-data.ts'
import type { Account, Accounts } from '../../accounts/rules/ports.ts'
import { addBusinessDays } from '../../moderation/rules/business-days.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import type { Stopping } from '../../platform/rules/routine.ts'
import type { DeletionCode, DeletionSource, Deletions } from './ports.ts'

const AT_ONCE = 50

/**
 * Runs before somebody's data go, for what must outlive them. It may run more than once for one person, for the server can end
 * between it and the deletion.
 */
export type BeforeErasure = (account: Account) => Promise<void>

export type DeletionService = ReturnType<typeof createDeletionService>

/** Takes wishes for deletion and carries them out. */
export function createDeletionService(deps: {
  deletions: Deletions
  accounts: Pick<Accounts, 'find'>
  clock: Clock
  /** How long a wish can be taken back. */
  delayDays: number
  /** Ends the hub connections of somebody. */
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

    /** Records the wish and ends every login at once, the one it was made with included. */
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

    /** Carries out what may begin, person by person; one that fails does not hold up the others. */
    async carryOut(stopping: Stopping, fault: (accountId: string, error: unknown) => void): Promise<number> {
      const failed = new Set<string>()
      let erased = 0
      for (;;) {
        const ready = await deletions.ready(clock.now(), AT_ONCE + failed.size)
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
