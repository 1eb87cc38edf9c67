import type { Clock } from './clock.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { Survive } from './fallback.ts'

/** Notes about somebody, the latest `most` of them; forgotten together when none was added for `keepMs`. */
export type NoteLimits = { keepMs: number; most: number }

export interface Notes<N> {
  /** Adds one. Answers all that are kept, in the order in which they came. */
  add(whom: string, note: N): Promise<N[]>
  /** Answers all that are kept and forgets them. Of several who ask at the same moment one gets them. */
  take(whom: string): Promise<N[]>
}

/** People about whom something is noted at once. */
const PEOPLE_LIMIT = 10_000

/** Notes in memory, of this server alone. */
export class OwnNotes<N> implements Notes<N> {
  readonly #now: Clock['now']
  readonly #most: number
  readonly #kept: ExpiringMap<string, N[]>

  constructor(now: Clock['now'], { keepMs, most }: NoteLimits) {
    this.#now = now
    this.#most = most
    this.#kept = new ExpiringMap(keepMs, PEOPLE_LIMIT)
  }

  async add(whom: string, note: N): Promise<N[]> {
    const now = this.#now()
    const notes = [...(this.#kept.get(whom, now) ?? []), note].slice(-this.#most)
    this.#kept.set(whom, notes, now)
    return notes
  }

  async take(whom: string): Promise<N[]> {
    const notes = this.#kept.get(whom, this.#now()) ?? []
    this.#kept.delete(whom)
    return notes
  }
}

/** Notes that all servers share, and those of this one alone for as long as that fails. */
export function survivingNotes<N>(survive: Survive, shared: Notes<N>, own: Notes<N>): Notes<N> {
  return {
    add: (whom, note) =>
      survive(
        () => shared.add(whom, note),
        () => own.add(whom, note),
      ),
    async take(whom) {
      const alone = await own.take(whom)
      const together = await survive(
        () => shared.take(whom),
        async () => [],
      )
      return [...together, ...alone]
    },
  }
}
