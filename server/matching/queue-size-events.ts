import type { UserConnections } from './rules/ports.ts'
import { toldQueueSize } from './rules/queue-size.ts'

/** Time between two looks at the number; a user hears of a change at most this often. */
const INTERVAL_MS = 3_000

type Deps = {
  connections: Pick<UserConnections, 'of' | 'send'>
  /** All users who search, of all servers. */
  countAll: () => number
  isSearching: (accountId: string) => boolean
  /** The users of this server who search. */
  searching: () => Iterable<string>
}

/**
 * Tells each user who searches how many others do: at the beginning, and when the number has changed. One number is computed for all
 * of them, and without a change no user is looked at. The rounding of large numbers keeps changes rare where the users are many.
 */
export class QueueSizeEvents {
  readonly #deps: Deps
  /** What the users were told at the last change. */
  #told = 0
  /** What users who began to search since then were told instead. */
  readonly #toldLater = new Map<string, number>()
  #nextAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Call when the user has begun to search, or is back. */
  began(accountId: string): void {
    if (!this.#deps.isSearching(accountId)) return
    const size = this.#size()
    this.#tell(accountId, size)
    if (size !== this.#told) this.#toldLater.set(accountId, size)
    else this.#toldLater.delete(accountId)
  }

  sweep(now: number): void {
    if (now < this.#nextAt) return
    this.#nextAt = now + INTERVAL_MS
    const size = this.#size()
    if (size !== this.#told) {
      this.#told = size
      for (const accountId of this.#deps.searching()) {
        if (this.#toldLater.get(accountId) !== size) this.#tell(accountId, size)
      }
    } else {
      for (const [accountId, told] of this.#toldLater) if (told !== size) this.#tell(accountId, size)
    }
    this.#toldLater.clear()
  }

  #size(): number {
    return toldQueueSize(this.#deps.countAll() - 1)
  }

  /** An absent user is told when they are back. */
  #tell(accountId: string, size: number): void {
    const { connections, isSearching } = this.#deps
    if (isSearching(accountId) && connections.of(accountId)?.open) connections.send(accountId, 'OnQueueSize', [size])
  }
}
