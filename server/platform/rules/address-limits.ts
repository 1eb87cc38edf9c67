import { type Rate, TokenBucket } from './token-bucket.ts'

/** Addresses that are remembered at once; the one that came first goes first. */
const KEPT_MAX = 50_000

/** A token bucket for each address, so that no single one can keep the whole server busy. */
export class AddressLimits {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Addresses that are remembered now. */
  get size(): number {
    return this.#buckets.size
  }

  /** False when this address asks too much. */
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
