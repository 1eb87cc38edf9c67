import type { NoticeChallenge, NoticeProof } from '#protocol/content-notices.ts'
import { HOUR_MS } from '#protocol/durations.ts'
import { AppError } from '#protocol/errors.ts'
import type { Count, Counts } from '../../platform/rules/counts.ts'
import { subnetOf } from '../../platform/rules/subnet.ts'
import { LEVEL_MAX, type Proofs } from './proofs.ts'

/** Prefix lengths by which networks are counted. One person may use all addresses of a network, and may rent whole wide networks. */
const NETWORK = { ipv4: 24, ipv6: 48 }
const WIDE_NETWORK = { ipv4: 16, ipv6: 32 }
export const NOTICES_OF_A_NETWORK = 20
/** New notices in an hour from all networks within a wide network, such as a provider's. */
export const NOTICES_OF_A_WIDE_NETWORK = 40
/** Further notices, each the first of its network, so that one network cannot close the form for all customers of a provider. */
export const FIRST_NOTICES_OF_A_WIDE_NETWORK = 10
/** New notices of all networks together in an hour. Moderators could not read more, and a flood stays small in the database. */
export const NOTICES_AN_HOUR = 300
/**
 * Further notices after NOTICES_AN_HOUR, of wide networks with at most FEW_OF_A_WIDE_NETWORK notices, so that some
 * networks cannot close the form for all.
 */
export const FIRST_NOTICES_AN_HOUR = 100
/** Most notices of a wide network for which FIRST_NOTICES_AN_HOUR applies: those of two or three homes, not a flood. */
const FEW_OF_A_WIDE_NETWORK = 3
/**
 * New notices with a proof of work in an hour, when the other limits are used up: the form stays open during a flood,
 * and the database stays small.
 */
export const PROVEN_NOTICES_AN_HOUR = 1_000
export const PROVEN_NOTICES_OF_A_WIDE_NETWORK = 100
/** This many proven notices within the hour raise the work for the next notice by one level. */
const NOTICES_A_LEVEL = 20
/** The key under which proven notices of all networks are counted. */
const PROVEN = 'proven content notices'

function keysOf(address: string) {
  const wide = subnetOf(address, WIDE_NETWORK)
  return {
    network: `content notices of ${subnetOf(address, NETWORK)}`,
    wide: `content notices of ${wide}`,
    provenOfWide: `proven content notices of ${wide}`,
  }
}

function tooMany({ leftMs }: Count): AppError {
  const retryAfter = Math.ceil(leftMs / 1_000)
  return new AppError('too-many-requests', 'Too many notices come in at present', { retryAfter })
}

/** Returns the level of work after this number of proven notices within the hour. */
function levelAfter(proven: number): number {
  return Math.min(LEVEL_MAX, 1 + Math.floor(proven / NOTICES_A_LEVEL))
}

export function createNoticeLimits({ counts, proofs }: { counts: Pick<Counts, 'add'>; proofs: Proofs }) {
  /** Adds one notice to `key`. Throws above `max`, unless `isFirst` and fewer than `firstMax` notices were taken above `max`. */
  async function countOne(key: string, max: number, isFirst = false, firstMax = 0): Promise<number> {
    const all = await counts.add(key, HOUR_MS)
    if (all.count <= max) return all.count
    if (!isFirst) throw tooMany(all)
    const first = await counts.add(`first ${key}`, HOUR_MS)
    if (first.count > firstMax) throw tooMany(first)
    return all.count
  }

  async function read(key: string): Promise<number> {
    return (await counts.add(key, HOUR_MS, 0)).count
  }

  return {
    /**
     * Counts a new notice, or rejects with `too-many-requests`. A proof replaces the limits that other networks use up
     * too, not the limit of the own network.
     */
    async countNew(address: string, proof: NoticeProof | undefined): Promise<void> {
      const { network, wide, provenOfWide } = keysOf(address)
      const own = await countOne(network, NOTICES_OF_A_NETWORK)
      if (proof && (await proofs.take(proof, levelAfter(await read(PROVEN))))) {
        await countOne(provenOfWide, PROVEN_NOTICES_OF_A_WIDE_NETWORK)
        await countOne(PROVEN, PROVEN_NOTICES_AN_HOUR)
        return
      }
      const ofWide = await countOne(wide, NOTICES_OF_A_WIDE_NETWORK, own === 1, FIRST_NOTICES_OF_A_WIDE_NETWORK)
      await countOne('content notices', NOTICES_AN_HOUR, ofWide <= FEW_OF_A_WIDE_NETWORK, FIRST_NOTICES_AN_HOUR)
    },

    /**
     * Resolves with a challenge. Resolves with null while no proof would help: the limit of the network of `address`,
     * or that of proven notices in an hour, is reached.
     */
    async challenge(address: string): Promise<NoticeChallenge | null> {
      const { network, provenOfWide } = keysOf(address)
      const [own, ofWide, proven] = [await read(network), await read(provenOfWide), await read(PROVEN)]
      if (own >= NOTICES_OF_A_NETWORK || ofWide >= PROVEN_NOTICES_OF_A_WIDE_NETWORK || proven >= PROVEN_NOTICES_AN_HOUR)
        return null
      return proofs.create(levelAfter(proven))
    },
  }
}
