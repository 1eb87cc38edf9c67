import type { Clock } from '../../platform/rules/clock.ts'
import { createRoutine, type Routine, type Stopping } from '../../platform/rules/routine.ts'
import type { DeletionService } from './deletion.ts'
import type { Expiry } from './ports.ts'
import { type CountedMs, expiredBefore, keptUntilOld } from './retention.ts'

/** Few enough that whoever waits for the store behind a batch does not notice it. */
const BATCH = 200
/** Where runs are further apart, the first comes this soon, and the next after one that met a fault. */
const RETRY_MS = 60_000

/** A row of the retention table, and how another part of the server keeps it: removes what is from before a moment, and counts it. */
type ExpiryHook = { what: string; keptMs: number; expire: (before: number) => Promise<number> }

export type HousekeepingDeps = {
  clock: Clock
  everyMs: number
  desk: DeletionService
  expiry: Expiry
  /** How far back the moderation policy counts what it knows of a kind: so long at least it is kept. */
  countedMs: CountedMs
  hooks: readonly ExpiryHook[]
  /** `removed` counts people erased and records that had become old. */
  done: (removed: Record<string, number>) => void
  fault: (what: string, error: unknown) => void
}

/** Carries out deletions and keeps the periods of retention, as long as the server runs. */
export function createHousekeeping(deps: HousekeepingDeps): Routine {
  const { clock, everyMs, desk, expiry, countedMs, hooks, done, fault } = deps

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
    let well = true
    async function step(what: string, work: () => Promise<number>): Promise<void> {
      if (stopping()) return
      try {
        const count = await work()
        if (count > 0) removed[what] = count
      } catch (error) {
        well = false
        fault(what, error)
      }
    }
    await step('people', () =>
      desk.carryOut(stopping, (accountId, error) => {
        well = false
        fault(`deletion of account ${accountId}`, error)
      }),
    )
    for (const kind of keptUntilOld) await step(kind, () => expire(kind, stopping))
    for (const { what, keptMs, expire: expireHook } of hooks) await step(what, () => expireHook(clock.now() - keptMs))
    if (Object.keys(removed).length > 0) done(removed)
    return well
  }

  const retryMs = Math.min(everyMs, RETRY_MS)
  // A server that starts has other things to do.
  return createRoutine({
    clock,
    firstMs: retryMs,
    everyMs,
    retryMs,
    task: run,
    fault: (error) => fault('housekeeping', error),
  })
}
