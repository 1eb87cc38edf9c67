import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { API_ATTEMPTS, IDEMPOTENCY_KEY } from '#protocol/constants.ts'
import { tryParse } from '#protocol/parse.ts'
import { ExpiringMap } from '../rules/expiring-map.ts'
import { type IdempotencyId, RESULT_KEPT_MS } from '../rules/idempotency.ts'
import { fieldError } from './problems.ts'

/** Repeats of one request that do not count against a rate limit, since they cost next to nothing. */
export const FREE_REPEATS = API_ATTEMPTS - 1
/** The largest number of results of all users; above it, the oldest result is dropped. */
const RESULTS_MAX = 20_000

const keySchema = v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)))

/** Returns the request's idempotency key; null if it has none. Throws `bad-request` for a malformed key. */
export function idempotencyKey(request: FastifyRequest): string | null {
  const key = tryParse(keySchema, request.headers[IDEMPOTENCY_KEY.toLowerCase()] ?? null)
  if (!key.success)
    throw fieldError('bad-request', IDEMPOTENCY_KEY, 'A key is 1 to 128 letters, digits, hyphens or underscores')
  return key.output
}

/**
 * The results of requests with an idempotency key. A repeat of a request that is still carried out gets the same result. A request that
 * failed has no result and may be carried out again.
 */
export interface IdempotencyStore {
  /** Resolves with true for a repeat that does not count against a rate limit. */
  isFree(id: IdempotencyId): Promise<boolean>
  /** Carries the request out once. Resolves with the result of the first request under this id, which has the shape of `schema`. */
  once(id: IdempotencyId, schema: v.GenericSchema, carryOut: () => Promise<unknown>): Promise<unknown>
}

type Kept = { result: Promise<unknown>; freeRepeats: number }

/**
 * The store of a server that shares no database, in memory. After a restart a repeated request is carried out again:
 * one frame may be taken twice, and the repeat of an accepted appeal may be refused.
 */
export class LocalIdempotencyStore implements IdempotencyStore {
  readonly #kept = new ExpiringMap<string, Kept>(RESULT_KEPT_MS, RESULTS_MAX)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async isFree(id: IdempotencyId): Promise<boolean> {
    const known = this.#kept.get(nameOf(id), this.#now())
    if (!known || known.freeRepeats === 0) return false
    known.freeRepeats -= 1
    return true
  }

  once(id: IdempotencyId, _schema: v.GenericSchema, carryOut: () => Promise<unknown>): Promise<unknown> {
    const name = nameOf(id)
    const known = this.#kept.get(name, this.#now())
    if (known) return known.result
    const result = carryOut()
    const kept = { result, freeRepeats: FREE_REPEATS }
    this.#kept.set(name, kept, this.#now())
    result.catch(() => {
      if (this.#kept.get(name, this.#now()) === kept) this.#kept.delete(name)
    })
    return result
  }
}

/** Uses `ownStore` for the results of the endpoints named in `own`, and `shared` for the results of all other endpoints. */
export function keptInTwo(
  shared: IdempotencyStore,
  ownStore: IdempotencyStore,
  own: ReadonlySet<string>,
): IdempotencyStore {
  const storeOf = ({ endpoint }: IdempotencyId) => (own.has(endpoint) ? ownStore : shared)
  return {
    isFree: (id) => storeOf(id).isFree(id),
    once: (id, schema, carryOut) => storeOf(id).once(id, schema, carryOut),
  }
}

function nameOf({ account, endpoint, key }: IdempotencyId): string {
  return `${account} ${endpoint} ${key}`
}
