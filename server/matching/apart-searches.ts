import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../platform/rules/clock.ts'
import { DelayedSearches } from './delayed-searches.ts'
import type { Pair } from './rules/match-queue.ts'
import type { MatchConnection, UserConnections } from './rules/ports.ts'
import type { Trust } from './rules/trust.ts'
import type { QueueEntry } from './rules/waiting-list.ts'

type Deps = {
  clock: Clock
  log: FastifyBaseLogger
  connections: Pick<UserConnections, 'of' | 'isCurrent'>
  /** Without `trust` nobody waits apart. */
  trust?: Trust
  /** Lets a user who has waited apart for long enough search among all others. */
  joinOthers: (connection: MatchConnection) => Promise<void>
  isJoining: (accountId: string) => boolean
}

/** The searches of users who wait apart, each until it goes on among all others. */
export class ApartSearches {
  readonly #deps: Deps
  readonly #waits: DelayedSearches
  /** By account: the latest call of `goOn`, while it reads how long the search still waits. */
  readonly #reading = new Map<string, symbol>()

  constructor(deps: Deps) {
    const { joinOthers, ...searches } = deps
    this.#deps = deps
    this.#waits = new DelayedSearches({ ...searches, join: joinOthers })
  }

  /** Resolves with the milliseconds that a search waits apart; with 0 when trust cannot be read. Never rejects. */
  async waitMs({ accountId, origin }: MatchConnection): Promise<number> {
    const { trust, log } = this.#deps
    if (!trust) return 0
    try {
      return await trust.apartMs(accountId, origin)
    } catch (error) {
      log.error({ err: error }, 'matching: the trust in a user was not read')
      return 0
    }
  }

  /** Lets the search wait apart for `waitMs`. */
  add(connection: MatchConnection, waitMs: number): void {
    this.#waits.add(connection, waitMs)
  }

  /**
   * Lets a search that waits apart since `since` do so for the rest of its time. Call it for an entry of another server or of an earlier
   * process, and for an entry that returns to the queue: without a timer of this server it would wait apart for ever. Never rejects.
   */
  async goOn(connection: MatchConnection, since: number): Promise<void> {
    const { accountId } = connection
    const reading = Symbol(accountId)
    this.#reading.set(accountId, reading)
    const waitMs = await this.waitMs(connection)
    // The user has left or joined again meanwhile.
    if (this.#reading.get(accountId) !== reading) return
    this.#reading.delete(accountId)
    this.add(connection, Math.max(0, since + waitMs - this.#deps.clock.now()))
  }

  cancel(accountId: string): void {
    this.#reading.delete(accountId)
    this.#waits.cancel(accountId)
  }

  stop(): void {
    this.#reading.clear()
    this.#waits.stop()
  }

  /**
   * Resolves with the entry of the user who must wait apart by what became known since the two joined. Resolves with null unless exactly one
   * of the two must, and when one of the two waits apart already.
   */
  async takeUntrusted({ caller, callee }: Pair): Promise<QueueEntry | null> {
    if (caller.apart || callee.apart) return null
    const [callerMs, calleeMs] = await Promise.all([this.#leftMs(caller), this.#leftMs(callee)])
    if (callerMs > 0 === calleeMs > 0) return null
    return callerMs > 0 ? caller : callee
  }

  /** Resolves with the rest of the time that this search waits apart; at most 0 when it does not. */
  async #leftMs({ user, since }: QueueEntry): Promise<number> {
    const connection = this.#deps.connections.of(user)
    const waitMs = connection ? await this.waitMs(connection) : 0
    return since + waitMs - this.#deps.clock.now()
  }
}
