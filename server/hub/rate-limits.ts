import { type HubMethodRate, hubMethodRates } from '#protocol/hub.ts'
import { type Rate, TokenBucket } from '../platform/rules/token-bucket.ts'

const KIB = 1024

/**
 * The rates of one connection's invocations by kind, of its traffic in bytes, and of one account's connection attempts.
 *
 * `traffic` allows more than the other rates together: invocations of all kinds at their rates are 60 KiB a second,
 * with the 512 bytes that each message costs in addition; a replay after a reconnect is 100 KB in at most 700 messages.
 * `traffic` allows at most 256 messages a second when each has a separate frame.
 *
 * `connections` counts negotiations, connections without a negotiation, and re-attachments of a live connection. A
 * browser negotiates once a visit; on a bad network it re-attaches once for each lost socket, and negotiates when a
 * re-attachment fails. Sixty at once and two a second suffice for a network that breaks every second.
 */
export type HubRates = Record<HubMethodRate | 'traffic' | 'connections', Rate>

export const hubRates: HubRates = {
  ...hubMethodRates,
  traffic: { perSecond: 128 * KIB, burst: 1024 * KIB },
  connections: { perSecond: 2, burst: 60 },
}

/** A user's bursts are this many times those of a connection, so that a user gains little by reconnecting. */
const BURSTS_PER_USER = 2

type Buckets = Partial<Record<HubMethodRate, TokenBucket>>

/** For each kind of method: a token bucket of each connection, and one of each user over all connections of the user. */
export class RateLimits {
  readonly #rates: HubRates
  readonly #byConnection = new WeakMap<object, Buckets>()
  readonly #byUser = new Map<string, Buckets>()

  constructor(rates: HubRates) {
    this.#rates = rates
  }

  /** Takes a token of the connection's bucket and of the user's bucket. Returns false when a bucket is empty. */
  allows(connection: { accountId: string }, kind: HubMethodRate, now: number): boolean {
    const rate = this.#rates[kind]
    const own = this.#byConnection.get(connection) ?? {}
    this.#byConnection.set(connection, own)
    own[kind] ??= new TokenBucket(rate, now)
    const user = this.#byUser.get(connection.accountId) ?? {}
    this.#byUser.set(connection.accountId, user)
    user[kind] ??= new TokenBucket({ ...rate, burst: rate.burst * BURSTS_PER_USER }, now)
    return own[kind].take(now) && user[kind].take(now)
  }

  /** Removes users whose buckets are full: a new bucket is full too. */
  sweep(now: number): void {
    for (const [user, buckets] of this.#byUser)
      if (Object.values(buckets).every((bucket) => bucket.isFull(now))) this.#byUser.delete(user)
  }
}
