import type { Clock } from './clock.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { Fallback } from './fallback.ts'

/** Keeps the latest `most` notes about a user; all of them expire when none was added for `keepMs`. */
export type NoteLimits = { keepMs: number; most: number }

export interface Notes<N> {
  /** Adds a note. Resolves with all notes about the user, the oldest first. */
  add(user: string, note: N): Promise<N[]>
  /** Adds a note without reading the others. */
  push(user: string, note: N): Promise<void>
  /** Removes the notes about the user and resolves with them. Of several calls at the same moment, one gets them. */
  take(user: string): Promise<N[]>
}

/** The largest number of users with notes. */
const USERS_MAX = 10_000

/** Notes in memory, of this server alone. */
export class LocalNotes<N> implements Notes<N> {
  readonly #now: Clock['now']
  readonly #most: number
  readonly #kept: ExpiringMap<string, N[]>

  constructor(now: Clock['now'], { keepMs, most }: NoteLimits) {
    this.#now = now
    this.#most = most
    this.#kept = new ExpiringMap(keepMs, USERS_MAX)
  }

  async add(user: string, note: N): Promise<N[]> {
    const now = this.#now()
    const notes = [...(this.#kept.get(user, now) ?? []), note].slice(-this.#most)
    this.#kept.set(user, notes, now)
    return notes
  }

  async push(user: string, note: N): Promise<void> {
    await this.add(user, note)
  }

  async take(user: string): Promise<N[]> {
    const notes = this.#kept.get(user, this.#now()) ?? []
    this.#kept.delete(user)
    return notes
  }
}

/** Notes that all servers share, or notes of this server alone while Redis fails. */
export function notesWithFallback<N>(fallback: Fallback, shared: Notes<N>, own: Notes<N>): Notes<N> {
  return {
    add: (user, note) => fallback(shared, own, (notes) => notes.add(user, note)),
    push: (user, note) => fallback(shared, own, (notes) => notes.push(user, note)),
    async take(user) {
      const alone = await own.take(user)
      const together = await fallback(shared, own, (notes) => notes.take(user))
      return [...together, ...alone]
    },
  }
}
