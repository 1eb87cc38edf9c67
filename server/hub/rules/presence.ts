import type { Clock } from '../../platform/rules/clock.ts'
import { ExpiringMap } from '../../platform/rules/expiring-map.ts'

/** The accounts that are online: seen lately, over the API or the hub. */
export interface Presence {
  seen(accountId: string): void
  count(): number
}

export const PRESENCE_MS = 60_000

/** Counts the accounts seen within the last minute. In memory: after a restart, a user who is online is soon seen again. */
export function createPresence(clock: Clock): Presence {
  const lastSeen = new ExpiringMap<string, true>(PRESENCE_MS)
  return {
    seen: (accountId) => lastSeen.set(accountId, true, clock.now()),
    count: () => lastSeen.size(clock.now()),
  }
}
