import type { FastifyBaseLogger } from 'fastify'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { MatchConnection, UserConnections } from './rules/ports.ts'

/** Time between two attempts to join. */
const RETRY_MS = 1_000
/** Codes with which a join refuses a user for good. */
const REFUSALS: readonly ErrorCode[] = ['blocked', 'forbidden']

type Deps = {
  clock: Clock
  log: FastifyBaseLogger
  connections: Pick<UserConnections, 'isCurrent'>
  /** Called after the wait. */
  join: (connection: MatchConnection) => Promise<void>
  isJoining: (accountId: string) => boolean
}

/**
 * Searches that join after a wait: an account that has met too many people in this minute joins the queue, and a user who waits apart joins
 * all others.
 */
export class DelayedSearches {
  readonly #deps: Deps
  /** By account: cancels the timer. */
  readonly #cancels = new Map<string, () => void>()
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Joins after `waitMs`, if the connection is still the user's current one. Replaces an earlier wait of the user. */
  add(connection: MatchConnection, waitMs: number): void {
    if (this.#isStopped) return
    const { clock, connections, join } = this.#deps
    const { accountId } = connection
    this.cancel(accountId)
    const cancel = clock.after(waitMs, () => {
      this.#cancels.delete(accountId)
      if (!connections.isCurrent(connection)) return
      // A connection without a socket must not join; it may get another socket.
      if (!connection.open) this.add(connection, RETRY_MS)
      else join(connection).catch((error: unknown) => this.#joinFailed(connection, error))
    })
    this.#cancels.set(accountId, cancel)
  }

  get size(): number {
    return this.#cancels.size
  }

  has(accountId: string): boolean {
    return this.#cancels.has(accountId)
  }

  accounts(): Iterable<string> {
    return this.#cancels.keys()
  }

  cancel(accountId: string): void {
    this.#cancels.get(accountId)?.()
    this.#cancels.delete(accountId)
  }

  stop(): void {
    this.#isStopped = true
    for (const accountId of [...this.#cancels.keys()]) this.cancel(accountId)
  }

  /** The client's invocation has completed and is not repeated, so a fault is retried here; a refusal ends the search. */
  #joinFailed(connection: MatchConnection, error: unknown): void {
    const { log, connections, isJoining } = this.#deps
    const { accountId } = connection
    log.info({ err: error, connection: connection.id }, 'matching: a delayed search did not begin')
    const isRefused = error instanceof AppError && REFUSALS.includes(error.code)
    const hasNewSearch = isJoining(accountId) || this.#cancels.has(accountId)
    if (!isRefused && !hasNewSearch && !this.#isStopped && connections.isCurrent(connection))
      this.add(connection, RETRY_MS)
  }
}
