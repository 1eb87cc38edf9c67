import { MINUTE_MS } from '#protocol/durations.ts'
import type { DecayingSums } from '../../platform/rules/decaying-sums.ts'
import type { SideOutcome } from './match-outcome.ts'

/** Where a connection comes from, as digests: nothing else is known of the address. */
export type Origin = {
  /** The network: /24 for IPv4 and /48 for IPv6. */
  network: string
  /** The kind of device within this network, such as Chrome on Android. */
  device: string
}

/** Sums of the outcomes of matches, which decay. */
type Score = SideOutcome

/** Long enough to recognise who fails every match, short enough to forget an evening in a tunnel. */
export const TRUST_HALF_LIFE_MS = 5 * MINUTE_MS
/** Two matches in which the account said nothing, or a quarter of an hour of matches that failed for unknown reasons. */
const FAILED_MIN = 2.5
/** The failures must be at least this many times the good calls. */
const FAILED_PER_GOOD = 2
/** An account adds at most this much to its network: no single account decides about all. */
const SHARE_MAX = FAILED_MIN
/** A network is judged by the evidence of at least three accounts. */
const GROUP_MIN = 3 * SHARE_MAX
/** Good or fair matches that speak for an account: half a match in which it did its part. */
const OWN_MIN = 0.5
/** The wait with the least evidence, bearable for a user who waits apart without reason. Grows with the square of the evidence. */
const APART_MS = 20_000
/** The longest wait apart: two half-lives, after which a quarter of the failures still counts. */
const APART_MAX_MS = 2 * TRUST_HALF_LIFE_MS
/** Longest wait apart of an account with hardly a failed match of its own: others of its network failed. */
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

/** Returns how many times the least evidence there is; 0 for less than the least. */
function levelOf({ failed, good }: Score, least: number): number {
  return failed >= least && failed >= FAILED_PER_GOOD * good ? failed / least : 0
}

/**
 * Returns the milliseconds that a search of the user waits apart; 0 for a user who waits with all others. An account whose own matches
 * failed waits by its own failures or by those of its group, whichever are more; an account with good matches does not wait; any other waits by its
 * group: the kind of device in its network, or the whole network if that kind is little known.
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

  /** Resolves with the milliseconds that a search of the user waits apart; 0 for a user who waits with all others. */
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
    // Such a partner proves something for the network: otherwise a network with most people of the service, as a campus, has failures only.
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
