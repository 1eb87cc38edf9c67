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

  /** False when nothing is left. */
  take(now: number): boolean {
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
