/** `burst` at once, `perSecond` in the long run. */
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

  /** True when it is as good as new. */
  isFull(now: number): boolean {
    return this.#tokensAt(now) >= this.#rate.burst
  }

  /** False when less than `amount` is left; then nothing is taken. */
  take(now: number, amount = 1): boolean {
    this.#refill(now)
    if (this.#tokens < amount) return false
    this.#tokens -= amount
    return true
  }

  /** Takes `amount` in any case. What is missing is a debt, at most one burst of it. */
  spend(now: number, amount: number): void {
    this.#refill(now)
    this.#tokens = Math.max(-this.#rate.burst, this.#tokens - amount)
  }

  /** What is left; negative for a debt. */
  left(now: number): number {
    return this.#tokensAt(now)
  }

  /** Milliseconds until `amount` is left. */
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
