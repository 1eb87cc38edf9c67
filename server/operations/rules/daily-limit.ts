import { DAY_MS } from '#protocol/durations.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { subnetOf } from '../../platform/rules/subnet.ts'

/** The most that one sender, and all senders of a /24 or /48, may add in a day, which begins with the first addition. */
type DailyLimit = { name: string; ofSender: number; ofNetwork: number }

/** Each is more than honest browsers send: one look a second takes 28 hours to reach the limit. */
export const CURTAIN_LOOKS: DailyLimit = { name: 'curtain looks', ofSender: 100_000, ofNetwork: 1_000_000 }
/** A browser of the sample sends one a match. */
export const EXPERIENCES: DailyLimit = { name: 'experiences', ofSender: 500, ofNetwork: 5_000 }
/** Entries. Browsers that log every step of a call write some hundreds in a visit. */
export const CLIENT_LOGS: DailyLimit = { name: 'client logs', ofSender: 20_000, ofNetwork: 200_000 }

const NETWORK = { ipv4: 24, ipv6: 48 }
const HOME = { ipv4: 32, ipv6: 64 }

/** An account, or an address without a login. */
type Sender = { accountId: string | null; address: string }

/**
 * Returns a function that counts what a sender adds, and resolves with false when a limit is reached: the caller then drops it, because a
 * browser would send a refused report again. What a sender over its own limit sends does not count in its network.
 */
export function createDailyLimits(counts: Pick<Counts, 'add'>) {
  return async ({ name, ofSender, ofNetwork }: DailyLimit, { accountId, address }: Sender, amount: number) => {
    const sender = accountId ?? subnetOf(address, HOME)
    const own = await counts.add(`${name} of ${sender}`, DAY_MS, amount)
    if (own.count > ofSender) return false
    const all = await counts.add(`${name} in ${subnetOf(address, NETWORK)}`, DAY_MS, amount)
    return all.count <= ofNetwork
  }
}
export type MayAdd = ReturnType<typeof createDailyLimits>
