import { type Rate, TokenBucket } from '../platform/rules/token-bucket.ts'

export type Kind = 'chat' | 'descriptions' | 'signalling' | 'joins' | 'control'

const KIB = 1024

/**
 * How often one connection may invoke each kind of method, how many bytes of any kind it may send, and how often one
 * account may ask for a connection.
 *
 * `traffic` stands above everything that the other rates let through: invocations of all kinds at their rates, with the 512
 * bytes that each message costs in addition, are 60 KiB a second, and a replay after a reconnect is 100 KB in at most 700 messages.
 * A message or frame at a time, it is at most 256 a second.
 *
 * `arrivals` counts negotiations, connections without one, and re-attachments of a connection that lives. A browser comes
 * once a visit; on a bad network it re-attaches once for each lost socket and negotiates where that fails. Sixty at once
 * and two a second are a network that breaks every second for as long as it likes.
 */
export type HubRates = Record<Kind | 'traffic' | 'arrivals', Rate>

export const hubRates: HubRates = {
  chat: { perSecond: 20, burst: 100 },
  descriptions: { perSecond: 2, burst: 30 },
  signalling: { perSecond: 50, burst: 300 },
  joins: { perSecond: 2, burst: 20 },
  control: { perSecond: 5, burst: 30 },
  traffic: { perSecond: 128 * KIB, burst: 1024 * KIB },
  arrivals: { perSecond: 2, burst: 60 },
}

/** A user may have this many fresh connections' worth at once: reconnecting is no way around the limits. */
const BURSTS_OF_A_USER = 2

type Buckets = Partial<Record<Kind, TokenBucket>>

/** A token bucket for each kind of method, of each connection and of each user over all their connections. */
export class RateLimits {
  readonly #rates: HubRates
  readonly #ofConnection = new WeakMap<object, Buckets>()
  readonly #ofUser = new Map<string, Buckets>()

  constructor(rates: HubRates) {
    this.#rates = rates
  }

  allows(connection: { accountId: string }, kind: Kind, now: number): boolean {
    const rate = this.#rates[kind]
    let own = this.#ofConnection.get(connection)
    if (!own) {
      own = {}
      this.#ofConnection.set(connection, own)
    }
    own[kind] ??= new TokenBucket(rate, now)
    let user = this.#ofUser.get(connection.accountId)
    if (!user) {
      user = {}
      this.#ofUser.set(connection.accountId, user)
    }
    user[kind] ??= new TokenBucket({ ...rate, burst: rate.burst * BURSTS_OF_A_USER }, now)
    return own[kind].take(now) && user[kind].take(now)
  }

  /** Forgets users whose buckets are full: new ones would be the same. */
  sweep(now: number): void {
    for (const [user, buckets] of this.#ofUser)
      if (Object.values(buckets).every((bucket) => bucket.isFull(now))) this.#ofUser.delete(user)
  }
}
