import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { API_ATTEMPTS, IDEMPOTENCY_KEY } from '#protocol/constants.ts'
import { retention } from '../domain/retention.ts'
import { fieldError } from './problems.ts'

/** Longer than a browser goes on trying. */
const KEPT_MS = retention.repeats.keptMs
/** Of all people together; the oldest goes first. */
const KEPT_MAX = 20_000

const keySchema = v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)))

/** The key by which a sender may send the same again, null without one. Throws `bad-request`. */
export function idempotencyKey(request: FastifyRequest): string | null {
  const key = v.safeParse(keySchema, request.headers[IDEMPOTENCY_KEY.toLowerCase()] ?? null)
  if (!key.success)
    throw fieldError('bad-request', IDEMPOTENCY_KEY, 'A key is 1 to 128 letters, digits, hyphens or underscores')
  return key.output
}

type Kept = { until: number; outcome: Promise<unknown>; freeRepeats: number }

/**
 * What keyed calls came to. In memory: a repeat follows within seconds, and what a restart forgets is at worst one more frame or
 * the refusal of an appeal that was taken. A call that is sent again while the first is in work gets the same outcome; one that
 * failed was not carried out, and may be tried again.
 */
export class Repeats {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** True for as many repeats of a call as a browser makes: they cost next to nothing and need not count against a rate. */
  isFree(id: string): boolean {
    const known = this.#live(id)
    if (!known || known.freeRepeats === 0) return false
    known.freeRepeats -= 1
    return true
  }

  once<T>(id: string, carryOut: () => Promise<T>): Promise<T> {
    const known = this.#live(id)
    if (known) return known.outcome as Promise<T>
    this.#forget()
    const outcome = carryOut()
    const kept = { until: this.#now() + KEPT_MS, outcome, freeRepeats: API_ATTEMPTS - 1 }
    this.#kept.set(id, kept)
    outcome.catch(() => {
      if (this.#kept.get(id) === kept) this.#kept.delete(id)
    })
    return outcome
  }

  #live(id: string): Kept | null {
    const known = this.#kept.get(id)
    return known && known.until > this.#now() ? known : null
  }

  /** The map is in the order in which they came. */
  #forget(): void {
    const now = this.#now()
    for (const [id, { until }] of this.#kept) {
      if (until > now && this.#kept.size < KEPT_MAX) return
      this.#kept.delete(id)
    }
  }
}
