import type { Clock } from '../../platform/rules/clock.ts'
import { createRoutine, type Routine, type Stopping } from '../../platform/rules/routine.ts'
import type { DeletionService } from './deletion.ts'
import type { Expiry } from './ports.ts'
import { type CountedMs, expiredBefore, keptUntilOld } from './retention.ts'

/** Records that one statement removes: few enough not to delay other queries noticeably. */
const BATCH = 200
/** Time until the first run, and until the run after a failed run; `everyMs` if that is shorter. */
const RETRY_MS = 60_000

/** A kind of records that another feature removes: `expire` removes the records from before a time and resolves with their number. */
type ExpiryHook = { what: string; keptMs: number; expire: (before: number) => Promise<number> }

export type HousekeepingDeps = {
  clock: Clock
  everyMs: number
  deletions: Pick<DeletionService, 'eraseDue'>
  expiry: Expiry
  /** How far back the moderation policy counts records of a kind; they are kept at least for this time. */
  countedMs: CountedMs
  hooks: readonly ExpiryHook[]
  /** `removed` counts erased accounts (`people`) and expired records, by kind. */
  done: (removed: Record<string, number>) => void
  fault: (what: string, error: unknown) => void
}

/** Erases accounts and removes expired records, at regular intervals. */
export function createHousekeeping(deps: HousekeepingDeps): Routine {
  const { clock, everyMs, deletions, expiry, countedMs, hooks, done, fault } = deps

  async function expire(kind: (typeof keptUntilOld)[number], stopping: Stopping): Promise<number> {
    const before = expiredBefore(kind, clock.now(), countedMs)
    let removed = 0
    for (;;) {
      const batch = await expiry.remove(kind, before, BATCH)
      removed += batch
      if (batch < BATCH || stopping()) return removed
    }
  }

  async function run(stopping: Stopping): Promise<boolean> {
    const removed: Record<string, number> = {}
    let succeeded = true
    async function step(what: string, work: () => Promise<number>): Promise<void> {
      if (stopping()) return
      try {
        const count = await work()
        if (count > 0) removed[what] = count
      } catch (error) {
        succeeded = false
        fault(what, error)
      }
    }
    await step('people', () =>
      deletions.eraseDue(stopping, (accountId, error) => {
        succeeded = false
        fault(`deletion of account ${accountId}`, error)
      }),
    )
    for (const kind of keptUntilOld) await step(kind, () => expire(kind, stopping))
    for (const { what, keptMs, expire: expireHook } of hooks) await step(what, () => expireHook(clock.now() - keptMs))
    if (Object.keys(removed).length > 0) done(removed)
    return succeeded
  }

  const retryMs = Math.min(everyMs, RETRY_MS)
  // The first run is not at the start, when the server has other work.
  return createRoutine({
    clock,
    firstMs: retryMs,
    everyMs,
    retryMs,
    task: run,
    fault: (error) => fault('housekeeping', error),
  })
}
