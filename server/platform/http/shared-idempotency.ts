import type { FastifyBaseLogger } from 'fastify'
import * as v from 'valibot'
import { AppError } from '#protocol/errors.ts'
import { parse } from '#protocol/parse.ts'
import { type Clock, pause } from '../rules/clock.ts'
import { type IdempotencyId, type IdempotencyRecords, RESULT_KEPT_MS } from '../rules/idempotency.ts'
import { FREE_REPEATS, type IdempotencyStore } from './idempotency.ts'

/** How long a claim holds: longer than any request takes, so that the server of an expired claim has died. */
const CLAIM_MS = 30_000
/** How long a repeat waits for the result of the first request: less than the time limit of a browser. */
const WAIT_MS = 15_000
const CHECK_EVERY_MS = 100

/** The store of servers that share their records: any server responds to a repeat with the result of the first request. */
export function createSharedIdempotencyStore(deps: {
  records: IdempotencyRecords
  clock: Clock
  newId: () => string
  log: FastifyBaseLogger
}): IdempotencyStore {
  const { records, clock, newId, log } = deps

  /** Resolves with the result of the first request, or with null once `owner` holds the claim. */
  async function claimOrResult(id: IdempotencyId, owner: string): Promise<{ result: string } | null> {
    const giveUpAt = clock.now() + WAIT_MS
    for (;;) {
      const now = clock.now()
      const state = await records.claim(id, { owner, now, until: now + CLAIM_MS, freeRepeats: FREE_REPEATS })
      if (state === 'ours') return null
      if (state !== 'taken') return state
      if (now >= giveUpAt) throw new AppError('too-many-requests', 'The same call is still in work')
      await pause(clock, CHECK_EVERY_MS)
    }
  }

  /** Logs a fault: the request was carried out, whether or not its result is stored. */
  async function logFault(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => log.warn({ err: error }, 'idempotency: a result was not stored'))
  }

  return {
    isFree: (id) => records.takeFreeRepeat(id, clock.now()),

    async once(id, schema, carryOut) {
      const owner = newId()
      const known = await claimOrResult(id, owner)
      if (known) return parse(v.pipe(v.string(), v.parseJson(), schema), known.result)
      try {
        const output = await carryOut()
        await logFault(records.complete(id, owner, JSON.stringify(output), clock.now() + RESULT_KEPT_MS))
        return output
      } catch (error) {
        await logFault(records.release(id, owner))
        throw error
      }
    },
  }
}
