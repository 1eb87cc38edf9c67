import { type Rate, TokenBucket } from '../platform/rules/token-bucket.ts'

/** What one message or one WebSocket control frame costs above its bytes: it takes time to parse, however short it is. */
const MESSAGE_COST = 512
/** One account may have this many connections' worth of traffic at once: more sockets are no way around the limit. */
const CONNECTIONS_OF_AN_ACCOUNT = 2
/** A paused socket is read again when so many seconds' worth is there, so that it is not paused for each message. */
const REFILL_SECONDS = 1

/** A token bucket of bytes for each connection, and one for each account over all its connections. */
export class TrafficLimits {
  readonly rate: Rate
  readonly #rateOfAccount: Rate
  readonly #ofAccount = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.rate = rate
    const { perSecond, burst } = rate
    this.#rateOfAccount = {
      perSecond: perSecond * CONNECTIONS_OF_AN_ACCOUNT,
      burst: burst * CONNECTIONS_OF_AN_ACCOUNT,
    }
  }

  bucketOf(accountId: string, now: number): TokenBucket {
    const known = this.#ofAccount.get(accountId)
    if (known) return known
    const bucket = new TokenBucket(this.#rateOfAccount, now)
    this.#ofAccount.set(accountId, bucket)
    return bucket
  }

  /** Forgets accounts whose buckets are full: new ones would be the same. */
  sweep(now: number): void {
    for (const [accountId, bucket] of this.#ofAccount) if (bucket.isFull(now)) this.#ofAccount.delete(accountId)
  }
}

/** Measures what the client of one connection sends, in bytes, of whatever kind it is. */
export class TrafficMeter {
  readonly #limits: TrafficLimits
  readonly #accountId: string
  /** Null while it is full: most connections say little. */
  #own: TokenBucket | null = null

  constructor(limits: TrafficLimits, accountId: string) {
    this.#limits = limits
    this.#accountId = accountId
  }

  /** Called now and then: forgets the bucket of the connection when it is full. */
  sweep(now: number): void {
    if (this.#own?.isFull(now)) this.#own = null
  }

  /** Takes the cost of one frame with so many messages. False when less is left; then nothing is taken. */
  take(bytes: number, messages: number, now: number): boolean {
    const cost = bytes + messages * MESSAGE_COST
    const own = this.#ofConnection(now)
    return own.left(now) >= cost && this.#ofAccount(now).take(now, cost) && own.take(now, cost)
  }

  /** Takes it in any case. */
  spend(bytes: number, messages: number, now: number): void {
    const cost = bytes + messages * MESSAGE_COST
    this.#ofConnection(now).spend(now, cost)
    this.#ofAccount(now).spend(now, cost)
  }

  isSpent(now: number): boolean {
    return this.#ofConnection(now).left(now) < 0 || this.#ofAccount(now).left(now) < 0
  }

  /** Milliseconds until the client may go on. */
  pauseMs(now: number): number {
    const { perSecond, burst } = this.#limits.rate
    const enough = Math.min(perSecond * REFILL_SECONDS, burst / 2)
    return Math.max(this.#ofConnection(now).msUntil(enough, now), this.#ofAccount(now).msUntil(enough, now))
  }

  /** At least half of what may come at once is there again. */
  hasRecovered(now: number): boolean {
    return this.#ofConnection(now).left(now) >= this.#limits.rate.burst / 2
  }

  #ofConnection(now: number): TokenBucket {
    this.#own ??= new TokenBucket(this.#limits.rate, now)
    return this.#own
  }

  #ofAccount(now: number): TokenBucket {
    return this.#limits.bucketOf(this.#accountId, now)
  }
}
