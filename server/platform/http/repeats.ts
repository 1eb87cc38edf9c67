import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { API_ATTEMPTS, IDEMPOTENCY_KEY } from '#protocol/constants.ts'
import { tryParse } from '#protocol/parse.ts'
import { ExpiringMap } from '../rules/expiring-map.ts'
import { REPEATS_KEPT_MS, type RepeatId } from '../rules/idempotency.ts'
import { fieldError } from './problems.ts'

/** As many repeats as a browser makes cost next to nothing, and need not count against a rate. */
export const FREE_REPEATS = API_ATTEMPTS - 1
/** Of all people together; the oldest goes first. */
const KEPT_MAX = 20_000

const keySchema = v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)))

/** The key by which a sender may send the same again, null without one. Throws `bad-request`. */
export function idempotencyKey(request: FastifyRequest): string | null {
  const key = tryParse(keySchema, request.headers[IDEMPOTENCY_KEY.toLowerCase()] ?? null)
  if (!key.success)
    throw fieldError('bad-request', IDEMPOTENCY_KEY, 'A key is 1 to 128 letters, digits, hyphens or underscores')
  return key.output
}

/**
 * What keyed calls came to. A call that is sent again while the first is in work gets the same outcome; one that failed was not
 * carried out, and may be tried again.
 */
export interface Repeats {
  /** True for a repeat that need not count against a rate. */
  isFree(id: RepeatId): Promise<boolean>
  /** The outcome of the first call under this id; `answers` is its shape. */
  once(id: RepeatId, answers: v.GenericSchema, carryOut: () => Promise<unknown>): Promise<unknown>
}

type Kept = { outcome: Promise<unknown>; freeRepeats: number }

/** In memory, for a server that has its records alone: what a restart forgets is at worst one more frame, or the refusal of an appeal that was taken. */
export class OwnRepeats implements Repeats {
  readonly #kept = new ExpiringMap<string, Kept>(REPEATS_KEPT_MS, KEPT_MAX)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async isFree(id: RepeatId): Promise<boolean> {
    const known = this.#kept.get(nameOf(id), this.#now())
    if (!known || known.freeRepeats === 0) return false
    known.freeRepeats -= 1
    return true
  }

  once(id: RepeatId, _answers: v.GenericSchema, carryOut: () => Promise<unknown>): Promise<unknown> {
    const name = nameOf(id)
    const known = this.#kept.get(name, this.#now())
    if (known) return known.outcome
    const outcome = carryOut()
    const kept = { outcome, freeRepeats: FREE_REPEATS }
    this.#kept.set(name, kept, this.#now())
    outcome.catch(() => {
      if (this.#kept.get(name, this.#now()) === kept) this.#kept.delete(name)
    })
    return outcome
  }
}

function nameOf({ account, call, key }: RepeatId): string {
  return `${account} ${call} ${key}`
}
