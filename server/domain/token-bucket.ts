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

  /** False when nothing is left. */
  take(now: number): boolean {
    this.#tokens = this.#tokensAt(now)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  #tokensAt(now: number): number {
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond
    return Math.min(this.#rate.burst, this.#tokens + gained)
  }
}
