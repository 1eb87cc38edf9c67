import { type Rate, TokenBucket } from '../domain/token-bucket.ts'

/** A browser comes once a visit, and again a few times when its network is bad. */
const arrivals: Rate = { perSecond: 2, burst: 60 }
/** One is in use; the others are left from networks that broke, until the server hears that they are gone. */
const SOCKETS_PER_USER = 10

/** How often one user may ask for a connection, and how many of them they may have. */
export class Doors {
  readonly #arrivals = new Map<string, TokenBucket>()
  readonly #open = new Map<string, number>()

  mayArrive(accountId: string, now: number): boolean {
    const bucket = this.#arrivals.get(accountId) ?? new TokenBucket(arrivals, now)
    this.#arrivals.set(accountId, bucket)
    return bucket.take(now)
  }

  isFull(accountId: string): boolean {
    return (this.#open.get(accountId) ?? 0) >= SOCKETS_PER_USER
  }

  entered(accountId: string): void {
    this.#open.set(accountId, (this.#open.get(accountId) ?? 0) + 1)
  }

  left(accountId: string): void {
    const rest = (this.#open.get(accountId) ?? 1) - 1
    if (rest === 0) this.#open.delete(accountId)
    else this.#open.set(accountId, rest)
  }

  /** A full bucket is as good as a new one. */
  sweep(now: number): void {
    for (const [accountId, bucket] of this.#arrivals) if (bucket.isFull(now)) this.#arrivals.delete(accountId)
  }
}
