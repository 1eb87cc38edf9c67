import { isOf, type Match, partnerOf, sideOf } from './match.ts'

/** How long a match that has ended can still be terminated again or reported. */
const KEEP_MS = 60_000

/** The matches that ended within the last minute. */
export class EndedMatches {
  /** In the order in which they ended. */
  readonly #byId = new Map<string, { match: Match; until: number }>()

  add(match: Match, now: number): void {
    this.#byId.set(match.id, { match, until: now + KEEP_MS })
    this.#dropExpired(now)
  }

  /** True for a match of this user. */
  has(accountId: string, id: string, now: number): boolean {
    this.#dropExpired(now)
    const match = this.#byId.get(id)?.match
    return match !== undefined && isOf(match, accountId)
  }

  /** The latest match in which `own` was a connection of this user and `peer` one of the partner. */
  between(accountId: string, own: string, peer: string, now: number): Match | undefined {
    this.#dropExpired(now)
    const matches = [...this.#byId.values()].map(({ match }) => match).reverse()
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

  #dropExpired(now: number): void {
    for (const [id, { until }] of this.#byId) {
      if (until > now) return
      this.#byId.delete(id)
    }
  }
}
