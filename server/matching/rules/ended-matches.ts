import { ExpiringMap } from '../../platform/rules/expiring-map.ts'
import { isOf, type Match, partnerOf, sideOf } from './match.ts'

/** How long a match that has ended can still be terminated again or reported. */
const KEEP_MS = 60_000

/** The matches that ended within the last minute. */
export class EndedMatches {
  readonly #byId = new ExpiringMap<string, Match>(KEEP_MS)

  add(match: Match, now: number): void {
    this.#byId.set(match.id, match, now)
  }

  /** The match with this id, if it is one of this user. */
  find(accountId: string, id: string, now: number): Match | undefined {
    const match = this.#byId.get(id, now)
    return match && isOf(match, accountId) ? match : undefined
  }

  /** The latest match in which `own` was a connection of this user and `peer` one of the partner. */
  between(accountId: string, own: string, peer: string, now: number): Match | undefined {
    const matches = this.#byId.values(now).reverse()
    return matches.find(
      (match) =>
        isOf(match, accountId) &&
        sideOf(match, accountId).connections.has(own) &&
        partnerOf(match, accountId).connections.has(peer),
    )
  }

  clear(): void {
    this.#byId.clear()
  }
}
