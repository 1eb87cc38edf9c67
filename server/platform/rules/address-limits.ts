import { type Rate, TokenBucket } from './token-bucket.ts'

/** The largest number of addresses; above it, the address that came first is dropped. */
const KEPT_MAX = 50_000

/**
 * A token bucket for each address, or for each key of another kind, so that no single key keeps the whole server busy.
 */
export class AddressLimits {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** The number of addresses with a bucket. */
  get size(): number {
    return this.#buckets.size
  }

  /** Takes a token of the address. Returns false when none is left. */
  allows(address: string, now: number): boolean {
    let bucket = this.#buckets.get(address)
    if (!bucket) {
      const [oldest] = this.#buckets.keys()
      if (oldest !== undefined && this.#buckets.size >= KEPT_MAX) this.#buckets.delete(oldest)
      bucket = new TokenBucket(this.#rate, now)
      this.#buckets.set(address, bucket)
    }
    return bucket.take(now)
  }
}
