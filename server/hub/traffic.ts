import { type Rate, TokenBucket, TokenBuckets } from '../platform/rules/token-bucket.ts'

/** Cost of a message or control frame, in bytes, in addition to its size: a short message takes time to parse too. */
const MESSAGE_COST = 512
/** An account's limit is this many times a connection's limit, so that opening more sockets does not evade the limit. */
const CONNECTIONS_PER_ACCOUNT = 2
/** A paused socket is read again when the bucket has the tokens of this many seconds; sooner, each message would pause it. */
const REFILL_SECONDS = 1

/** A token bucket of bytes for each connection, and one for each account over all its connections. */
export class TrafficLimits {
  readonly rate: Rate
  readonly byAccount: TokenBuckets

  constructor(rate: Rate) {
    this.rate = rate
    const { perSecond, burst } = rate
    this.byAccount = new TokenBuckets({
      perSecond: perSecond * CONNECTIONS_PER_ACCOUNT,
      burst: burst * CONNECTIONS_PER_ACCOUNT,
    })
  }

  sweep(now: number): void {
    this.byAccount.sweep(now)
  }
}

/** Measures what the client of one connection sends, in frames of all kinds. */
export class TrafficMeter {
  readonly #limits: TrafficLimits
  readonly #accountId: string
  /** Null while the bucket is full, as it is on most connections. */
  #own: TokenBucket | null = null

  constructor(limits: TrafficLimits, accountId: string) {
    this.#limits = limits
    this.#accountId = accountId
  }

  sweep(now: number): void {
    if (this.#own?.isFull(now)) this.#own = null
  }

  /** Takes the cost of `messages` messages with `bytes` in total. Returns false and takes nothing when less is left. */
  take(bytes: number, messages: number, now: number): boolean {
    const cost = bytes + messages * MESSAGE_COST
    const own = this.#ofConnection(now)
    return own.left(now) >= cost && this.#ofAccount(now).take(now, cost) && own.take(now, cost)
  }

  /** Takes the cost even when less is left: the bucket goes into debt. */
  spend(bytes: number, messages: number, now: number): void {
    const cost = bytes + messages * MESSAGE_COST
    this.#ofConnection(now).spend(now, cost)
    this.#ofAccount(now).spend(now, cost)
  }

  isSpent(now: number): boolean {
    return this.#ofConnection(now).left(now) < 0 || this.#ofAccount(now).left(now) < 0
  }

  /** Returns the milliseconds until the socket may be read again. */
  pauseMs(now: number): number {
    const { perSecond, burst } = this.#limits.rate
    const enough = Math.min(perSecond * REFILL_SECONDS, burst / 2)
    return Math.max(this.#ofConnection(now).msUntil(enough, now), this.#ofAccount(now).msUntil(enough, now))
  }

  /** True when the connection's bucket is at least half full. */
  hasRecovered(now: number): boolean {
    return this.#ofConnection(now).left(now) >= this.#limits.rate.burst / 2
  }

  #ofConnection(now: number): TokenBucket {
    this.#own ??= new TokenBucket(this.#limits.rate, now)
    return this.#own
  }

  #ofAccount(now: number): TokenBucket {
    return this.#limits.byAccount.of(this.#accountId, now)
  }
}
