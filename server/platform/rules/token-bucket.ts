/** A bucket has at most `burst` tokens and gets `perSecond` new tokens a second. */
export type Rate = { perSecond: number; burst: number }

export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #at: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#at = now
  }

  /** True if no token is missing. */
  isFull(now: number): boolean {
    return this.#tokensAt(now) >= this.#rate.burst
  }

  /** Takes `amount`. Returns false, and takes nothing, when less is left. */
  take(now: number, amount = 1): boolean {
    this.#refill(now)
    if (this.#tokens < amount) return false
    this.#tokens -= amount
    return true
  }

  /** Takes `amount` even when less is left. The missing tokens become a debt of at most one burst. */
  spend(now: number, amount: number): void {
    this.#refill(now)
    this.#tokens = Math.max(-this.#rate.burst, this.#tokens - amount)
  }

  /** Returns the tokens that are left; negative for a debt. */
  left(now: number): number {
    return this.#tokensAt(now)
  }

  /** Returns the milliseconds until the bucket has `amount` tokens. */
  msUntil(amount: number, now: number): number {
    return Math.max(0, Math.ceil(((amount - this.#tokensAt(now)) / this.#rate.perSecond) * 1000))
  }

  #refill(now: number): void {
    this.#tokens = this.#tokensAt(now)
    this.#at = now
  }

  #tokensAt(now: number): number {
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond
    return Math.min(this.#rate.burst, this.#tokens + gained)
  }
}

/** A token bucket for each key. Beyond `keptMax` keys, the key that came first is dropped. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #keptMax: number
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate, keptMax: number = Number.POSITIVE_INFINITY) {
    this.#rate = rate
    this.#keptMax = keptMax
  }

  /** The number of keys with a bucket. */
  get size(): number {
    return this.#buckets.size
  }

  of(key: string, now: number): TokenBucket {
    const known = this.#buckets.get(key)
    if (known) return known
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined && this.#buckets.size >= this.#keptMax) this.#buckets.delete(oldest)
    const bucket = new TokenBucket(this.#rate, now)
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Takes a token of the key. Returns false when none is left. */
  allows(key: string, now: number): boolean {
    return this.of(key, now).take(now)
  }

  /** Removes full buckets: a new bucket is full too. */
  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key)
  }
}

/** The largest number of addresses with a bucket. */
const ADDRESSES_MAX = 50_000

/** A token bucket for each address, or for each name of another kind, so that no single one keeps the whole server busy. */
export class AddressLimits extends TokenBuckets {
  constructor(rate: Rate) {
    super(rate, ADDRESSES_MAX)
  }
}
