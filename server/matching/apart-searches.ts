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
  /** Without it nobody waits apart. */
  trust?: Trust
  /** Moves a user who has waited apart for long enough to all others. */
  joinOthers: (connection: MatchConnection) => Promise<void>
  isJoining: (accountId: string) => boolean
}

/** The searches of users who wait apart, each until it goes on among all others. */
export class ApartSearches {
  readonly #deps: Deps
  readonly #waits: DelayedSearches
  /** By account: the call of `goOn` that reads how long the search still waits. */
  readonly #reading = new Map<string, symbol>()

  constructor(deps: Deps) {
    const { joinOthers, ...searches } = deps
    this.#deps = deps
    this.#waits = new DelayedSearches({ ...searches, join: joinOthers })
  }

  /** Resolves with the milliseconds that a search waits apart. Never rejects: where that is not known, with 0. */
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

  /** The search waits apart from now on, for `waitMs`. */
  add(connection: MatchConnection, waitMs: number): void {
    this.#waits.add(connection, waitMs)
  }

  /**
   * The search, which waits apart since `since`, does so for the rest of its time. For an entry of another server or of an earlier process,
   * and for one that returns to the queue: without a timer of this server it would wait apart for ever. Never rejects.
   */
  async goOn(connection: MatchConnection, since: number): Promise<void> {
    const { accountId } = connection
    const reading = Symbol(accountId)
    this.#reading.set(accountId, reading)
    const waitMs = await this.waitMs(connection)
    // The user has left or joined anew in the meantime.
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
   * Resolves with the entry of the user who must wait apart by what has become known since the two joined. Resolves with null when both must
   * or none must, and when one of them waits apart already.
   */
  async takeUntrusted({ caller, callee }: Pair): Promise<QueueEntry | null> {
    if (caller.apart || callee.apart) return null
    const [callerMs, calleeMs] = await Promise.all([this.#leftMs(caller), this.#leftMs(callee)])
    if (callerMs > 0 === calleeMs > 0) return null
    return callerMs > 0 ? caller : callee
  }

  /** What is left of the time that this search waits apart. */
  async #leftMs({ user, since }: QueueEntry): Promise<number> {
    const connection = this.#deps.connections.of(user)
    const waitMs = connection ? await this.waitMs(connection) : 0
    return since + waitMs - this.#deps.clock.now()
  }
}
