import type { DecayingSums } from '../platform/rules/decaying-sums.ts'
import type { SideOutcome } from './rules/match-outcome.ts'
import { apartMs, type Origin, type Score, shareOf } from './rules/trust.ts'

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
    return apartMs(account, device && network && { device, network })
  }

  /** Counts how a match came out for the user. */
  async count(user: TrustedUser, partner: TrustedUser, outcome: SideOutcome): Promise<void> {
    const { accountId, origin } = user
    // One who is not trusted, or may be the same person, proves nothing for the account.
    const isNeighbour = origin !== null && origin.network === partner.origin?.network
    const counted = { ...outcome, good: partner.wasApart || isNeighbour ? 0 : outcome.good }
    if (counted.failed + counted.good + counted.fair === 0) return
    const before = await this.#scores.add(`account ${accountId}`, counted)
    const share = shareOf(before, counted)
    // It does for the network: otherwise one in which most people of the service are, such as a campus, has failures only.
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
