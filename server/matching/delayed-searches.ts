import type { FastifyBaseLogger } from 'fastify'
import { AppError, type ErrorCode } from '#protocol/errors.ts'
import type { Clock } from '../platform/rules/clock.ts'
import type { MatchConnection, UserConnections } from './rules/ports.ts'

/** Time between two attempts to join. */
const RETRY_MS = 1_000
/** Errors of `join` that another attempt would not change. */
const REFUSALS: readonly ErrorCode[] = ['blocked', 'forbidden']

type Deps = {
  clock: Clock
  log: FastifyBaseLogger
  connections: Pick<UserConnections, 'isCurrent'>
  /** Called after the wait. */
  join: (connection: MatchConnection) => Promise<void>
  isJoining: (accountId: string) => boolean
}

/** Searches that join after a wait: of accounts that have met too many people, and of users whose wait apart ends. */
export function createDelayedSearches({ clock, log, connections, join, isJoining }: Deps) {
  /** By account: cancels the timer. */
  const cancels = new Map<string, () => void>()
  let isStopped = false

  /** Joins after `waitMs`, if the connection is still the user's current one. Replaces an earlier wait of the user. */
  function add(connection: MatchConnection, waitMs: number): void {
    if (isStopped) return
    const { accountId } = connection
    cancel(accountId)
    const cancelTimer = clock.after(waitMs, () => {
      cancels.delete(accountId)
      if (!connections.isCurrent(connection)) return
      // A connection without a socket must not join; it may get another socket.
      if (!connection.open) add(connection, RETRY_MS)
      else join(connection).catch((error: unknown) => joinFailed(connection, error))
    })
    cancels.set(accountId, cancelTimer)
  }

  /** Retries after a fault, since the client's invocation has completed and is not repeated. A refusal ends the search. */
  function joinFailed(connection: MatchConnection, error: unknown): void {
    const { accountId } = connection
    log.info({ err: error, connection: connection.id }, 'matching: a delayed search did not begin')
    const isRefused = error instanceof AppError && REFUSALS.includes(error.code)
    const hasNewSearch = isJoining(accountId) || cancels.has(accountId)
    if (!isRefused && !hasNewSearch && connections.isCurrent(connection)) add(connection, RETRY_MS)
  }

  function cancel(accountId: string): void {
    cancels.get(accountId)?.()
    cancels.delete(accountId)
  }

  function stop(): void {
    isStopped = true
    for (const accountId of [...cancels.keys()]) cancel(accountId)
  }

  return { accounts: cancels as ReadonlyMap<string, unknown>, add, cancel, stop }
}
