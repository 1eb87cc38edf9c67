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
