import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../platform/rules/clock.ts'
import { createDelayedSearches } from './delayed-searches.ts'
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
  /** Joins again, as an ordinary user, for a user whose wait apart is over. */
  joinOthers: (connection: MatchConnection) => Promise<void>
  isJoining: (accountId: string) => boolean
}

/** Timers of the users who wait apart: at the end of a timer its user joins the ordinary users. */
export function createApartSearches({ trust, joinOthers, ...deps }: Deps) {
  const { clock, log, connections } = deps
  const waits = createDelayedSearches({ ...deps, join: joinOthers })
  /** By account: the latest call of `goOn`, while it reads how long the search still waits. */
  const reading = new Map<string, symbol>()

  /** Resolves with the milliseconds that a search waits apart; with 0 when trust cannot be read. Never rejects. */
  async function waitMs({ accountId, origin }: MatchConnection): Promise<number> {
    if (!trust) return 0
    try {
      return await trust.apartMs(accountId, origin)
    } catch (error) {
      log.error({ err: error }, 'matching: the trust in a user was not read')
      return 0
    }
  }

  /** Resolves with the remaining milliseconds of this entry's wait apart; 0 or less when it need not wait apart. */
  async function leftMs({ user, since }: QueueEntry): Promise<number> {
    const connection = connections.of(user)
    const ms = connection ? await waitMs(connection) : 0
    return since + ms - clock.now()
  }

  return {
    waitMs,
    /** Ends the user's wait apart after this many milliseconds. */
    add: waits.add,

    /**
     * Ends the wait apart that began at `since` when its time is over. Call it for an entry of another server or of an earlier process, and
     * for an entry that returns to the queue: such an entry has no timer on this server and would wait apart for ever. Never rejects.
     */
    async goOn(connection: MatchConnection, since: number): Promise<void> {
      const { accountId } = connection
      const mine = Symbol(accountId)
      reading.set(accountId, mine)
      const ms = await waitMs(connection)
      // The user has left or joined again meanwhile.
      if (reading.get(accountId) !== mine) return
      reading.delete(accountId)
      waits.add(connection, Math.max(0, since + ms - clock.now()))
    },

    cancel(accountId: string): void {
      reading.delete(accountId)
      waits.cancel(accountId)
    },

    stop(): void {
      reading.clear()
      waits.stop()
    },

    /**
     * Resolves with the entry of the one user of the pair that `Trust` now makes wait apart; with null when it makes neither or both users wait,
     * and for a pair in which a user waits apart already.
     */
    async takeUntrusted({ caller, callee }: Pair): Promise<QueueEntry | null> {
      if (caller.apart || callee.apart) return null
      const [callerMs, calleeMs] = await Promise.all([leftMs(caller), leftMs(callee)])
      if (callerMs > 0 === calleeMs > 0) return null
      return callerMs > 0 ? caller : callee
    },
  }
}
