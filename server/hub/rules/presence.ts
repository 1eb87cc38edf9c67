import type { Clock } from '../../platform/rules/clock.ts'

/** The accounts that are online: seen lately, over the API or the hub. */
export interface Presence {
  seen(accountId: string): void
  count(): number
}

export const PRESENCE_MS = 60_000

/** Counts everybody seen within the last minute. Kept in memory: who is here shows up again by itself. */
export function createPresence(clock: Clock): Presence {
  // Insertion order is the order of the last sighting, so the stale ones are always in front.
  const lastSeen = new Map<string, number>()

  function forgetStale(): void {
    const oldest = clock.now() - PRESENCE_MS
    for (const [accountId, at] of lastSeen) {
      if (at > oldest) return
      lastSeen.delete(accountId)
    }
  }

  return {
    seen(accountId) {
      forgetStale()
      lastSeen.delete(accountId)
      lastSeen.set(accountId, clock.now())
    },
    count() {
      forgetStale()
      return lastSeen.size
    },
  }
}
