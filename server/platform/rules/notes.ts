import type { Clock } from './clock.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { Fallback } from './fallback.ts'

/** Limits of the notes about a user: the latest `most` are kept; all expire when no note was added for `keepMs`. */
export type NoteLimits = { keepMs: number; most: number }

export interface Notes<N> {
  /** Adds a note. Resolves with all notes about the user, the oldest first. */
  add(user: string, note: N): Promise<N[]>
  /** Adds a note without reading the other notes. */
  push(user: string, note: N): Promise<void>
  /** Removes the notes about the user and resolves with them. Of several calls at the same time, only one gets the notes. */
  take(user: string): Promise<N[]>
}

/** The largest number of users with notes. */
const USERS_MAX = 10_000

/** Notes in memory, of this server only. */
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

/** Notes that all servers share; while Redis fails, notes of this server only. */
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
