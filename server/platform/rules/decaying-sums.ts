import type { Clock } from './clock.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { Fallback } from './fallback.ts'

export type Amounts<F extends string> = Record<F, number>

/** Sums of amounts by key. All sums of a key halve in each `halfLifeMs`. */
export interface DecayingSums<F extends string> {
  /** Resolves with the sums before the addition. */
  add(key: string, amounts: Amounts<F>): Promise<Amounts<F>>
  read(key: string): Promise<Amounts<F>>
}

/** Half-lives after which a sum is forgotten: it has then fallen to a 256th. */
export const KEPT_HALF_LIVES = 8
/** The largest number of keys; above it, the key to which nothing was added for longest is dropped. */
const KEPT_MAX = 100_000

/** Sums in memory, of this server only. */
export class LocalDecayingSums<F extends string> implements DecayingSums<F> {
  readonly #now: Clock['now']
  readonly #fields: readonly F[]
  readonly #halfLifeMs: number
  readonly #kept: ExpiringMap<string, { sums: Amounts<F>; at: number }>

  constructor(now: Clock['now'], fields: readonly F[], halfLifeMs: number) {
    this.#now = now
    this.#fields = fields
    this.#halfLifeMs = halfLifeMs
    this.#kept = new ExpiringMap(KEPT_HALF_LIVES * halfLifeMs, KEPT_MAX)
  }

  async add(key: string, amounts: Amounts<F>): Promise<Amounts<F>> {
    const now = this.#now()
    const before = this.#read(key, now)
    this.#kept.set(key, { sums: this.#map((field) => before[field] + amounts[field]), at: now }, now)
    return before
  }

  async read(key: string): Promise<Amounts<F>> {
    return this.#read(key, this.#now())
  }

  #read(key: string, now: number): Amounts<F> {
    const { sums, at = now } = this.#kept.get(key, now) ?? {}
    const share = 2 ** -((now - at) / this.#halfLifeMs)
    return this.#map((field) => (sums?.[field] ?? 0) * share)
  }

  #map(amountOf: (field: F) => number): Amounts<F> {
    return Object.fromEntries(this.#fields.map((field) => [field, amountOf(field)])) as Amounts<F>
  }
}

/** Sums of all servers together; while Redis fails, sums of this server only. */
export function sumsWithFallback<F extends string>(
  fallback: Fallback,
  shared: DecayingSums<F>,
  own: DecayingSums<F>,
): DecayingSums<F> {
  return {
    add: (key, amounts) =>
      fallback(
        () => shared.add(key, amounts),
        () => own.add(key, amounts),
      ),
    read: (key) =>
      fallback(
        () => shared.read(key),
        () => own.read(key),
      ),
  }
}
