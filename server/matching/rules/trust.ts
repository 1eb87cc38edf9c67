import { MINUTE_MS } from '#protocol/durations.ts'
import type { DecayingSums } from '../../platform/rules/decaying-sums.ts'
import type { SideOutcome } from './match-outcome.ts'

/** Where a connection comes from, as digests; the address itself is not known. */
export type Origin = {
  /** The network: /24 for IPv4 and /48 for IPv6. */
  network: string
  /** The kind of device within this network, such as Chrome on Android. */
  device: string
}

/** Decaying sums of the outcomes of matches. */
type Score = SideOutcome

/** Long enough to recognise an account that fails every match, short enough to forget an evening with a bad link. */
export const TRUST_HALF_LIFE_MS = 5 * MINUTE_MS
/**
 * Least failures with which an account waits apart: two matches in which its browser sent nothing, or a quarter of an
 * hour of matches that failed for unknown reasons.
 */
const FAILED_MIN = 2.5
/** An account or group waits apart only if its failures are at least this many times its good calls. */
const FAILED_PER_GOOD = 2
/** Failures that an account adds to its network at most, so that no single account decides about the network. */
const SHARE_MAX = FAILED_MIN
/** Least failures with which a group waits apart: three accounts must have failed. */
const GROUP_MIN = 3 * SHARE_MAX
/** Good or fair matches with which an account is not judged by its network: half a match in which it did its part. */
const OWN_MIN = 0.5
/** Wait apart with the least failures; grows with the square of the failures. Bearable for a user without fault. */
const APART_MS = 20_000
/** The longest wait apart: two half-lives, after which a quarter of the failures still counts. */
const APART_MAX_MS = 2 * TRUST_HALF_LIFE_MS
/** Longest wait apart of an account that waits because of its network and has hardly failed itself. */
const GROUP_APART_MAX_MS = MINUTE_MS

const none: Score = { failed: 0, good: 0, fair: 0 }

/** Returns what an outcome of an account with this earlier score adds to its network and its kind of device there. */
function shareOf(score: Score, { failed, good }: SideOutcome): SideOutcome {
  return {
    failed: Math.min(failed, Math.max(0, SHARE_MAX - score.failed)),
    good: Math.min(good, Math.max(0, SHARE_MAX - score.good)),
    fair: 0,
  }
}

/** Returns the failures as a multiple of `least`; 0 when they are below `least` or few beside the good calls. */
function levelOf({ failed, good }: Score, least: number): number {
  return failed >= least && failed >= FAILED_PER_GOOD * good ? failed / least : 0
}

/**
 * Returns the milliseconds that a search of the user waits apart; 0 for an ordinary user. The group of an account is
 * its kind of device in its network, or the whole network if that kind is little known. An account whose own matches
 * failed waits by its own failures or by those of its group, whichever are more. An account with good or fair matches
 * does not wait. Every other account waits by the failures of its group.
 */
function apartMsOf(account: Score, origin: { device: Score; network: Score } | null): number {
  const device = origin?.device ?? none
  const isKnownDevice = device.failed + device.good >= GROUP_MIN
  const group = levelOf(isKnownDevice ? device : (origin?.network ?? none), GROUP_MIN)
  const own = levelOf(account, FAILED_MIN)
  if (own > 0) return Math.min(APART_MAX_MS, APART_MS * Math.max(own, group) ** 2)
  const hasOwn = account.good >= OWN_MIN || account.fair >= OWN_MIN
  if (hasOwn) return 0
  return Math.min(account.failed > OWN_MIN ? APART_MAX_MS : GROUP_APART_MAX_MS, APART_MS * group ** 2)
}

/** A user of a match that has ended. */
export type TrustedUser = {
  accountId: string
  /** Null where the network is not known, such as for a private address. */
  origin: Origin | null
  /** The user waited apart for this match. */
  wasApart: boolean
}

/** What the matches of accounts, networks and kinds of device have shown, over all servers. */
export class Trust {
  readonly #scores: DecayingSums<keyof Score>

  constructor(scores: DecayingSums<keyof Score>) {
    this.#scores = scores
  }

  /** Resolves with the milliseconds that a search of the user waits apart; 0 for an ordinary user. */
  async apartMs(accountId: string, origin: Origin | null): Promise<number> {
    const [account, device, network] = await Promise.all([
      this.#scores.read(`account ${accountId}`),
      origin && this.#scores.read(`device ${origin.device}`),
      origin && this.#scores.read(`network ${origin.network}`),
    ])
    return apartMsOf(account, device && network && { device, network })
  }

  async count(user: TrustedUser, partner: TrustedUser, outcome: SideOutcome): Promise<void> {
    const { accountId, origin } = user
    // A partner who is not trusted, or may be the same person, proves nothing for the account.
    const isNeighbour = origin !== null && origin.network === partner.origin?.network
    const counted = { ...outcome, good: partner.wasApart || isNeighbour ? 0 : outcome.good }
    if (counted.failed + counted.good + counted.fair === 0) return
    const before = await this.#scores.add(`account ${accountId}`, counted)
    const share = shareOf(before, counted)
    // A good call with a partner of the same network counts for the network. Otherwise a network with most users of the
    // service, such as a campus, would have failures only.
    if (isNeighbour && !user.wasApart && !partner.wasApart && outcome.good > 0) {
      const { good } = outcome
      const inside = await this.#scores.add(`neighbour ${accountId}`, { failed: 0, good, fair: 0 })
      share.good = shareOf({ ...before, good: before.good + inside.good }, outcome).good
    }
    if (!origin || share.failed + share.good === 0) return
    await Promise.all([
      this.#scores.add(`device ${origin.device}`, share),
      this.#scores.add(`network ${origin.network}`, share),
    ])
  }
}
