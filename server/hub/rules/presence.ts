import type { Clock } from '../../platform/rules/clock.ts'

/** The accounts that are online: seen lately, over the API or the hub. */
export interface Presence {
  seen(accountId: string): void
  count(): number
}

export const PRESENCE_MS = 60_000

/** Counts the users seen within the last minute. Kept in memory: after a restart, users are seen again soon. */
export function createPresence(clock: Clock): Presence {
  // Insertion order is the order in which users were last seen, so expired entries come first.
  const lastSeen = new Map<string, number>()

  function removeExpired(): void {
    const oldest = clock.now() - PRESENCE_MS
    for (const [accountId, at] of lastSeen) {
      if (at > oldest) return
      lastSeen.delete(accountId)
    }
  }

  return {
    seen(accountId) {
      removeExpired()
      lastSeen.delete(accountId)
      lastSeen.set(accountId, clock.now())
    },
    count() {
      removeExpired()
      return lastSeen.size
    },
  }
}
