import { DAY_MS } from '#protocol/durations.ts'
import type { Counts } from '../../platform/rules/counts.ts'
import { subnetOf } from '../../platform/rules/subnet.ts'

/** What one sender, and all senders of a /24 or /48 together, may add at most in a day. The day begins with the first addition. */
type DailyLimit = { name: string; ofSender: number; ofNetwork: number }

/** In looks: one look a second takes 28 hours to reach the limit. Each limit here is above what honest browsers send. */
export const CURTAIN_LOOKS: DailyLimit = { name: 'curtain looks', ofSender: 100_000, ofNetwork: 1_000_000 }
/** In reports: a browser of the sample sends one for each match. */
export const EXPERIENCES: DailyLimit = { name: 'experiences', ofSender: 500, ofNetwork: 5_000 }
/** In entries: browsers that log every step of a call send some hundreds in a visit. */
export const CLIENT_LOGS: DailyLimit = { name: 'client logs', ofSender: 20_000, ofNetwork: 200_000 }

const NETWORK = { ipv4: 24, ipv6: 48 }
const HOME = { ipv4: 32, ipv6: 64 }

/** An account, or an address without a login. */
type Sender = { accountId: string | null; address: string }

/**
 * Returns a function that counts an addition and resolves with false when a limit is reached. The caller must then drop
 * the addition without an error, because a browser would send a refused report again. Additions of a sender over the
 * limit of one sender do not count in the sender's network.
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
