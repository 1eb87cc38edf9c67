import { type Rate, TokenBucket } from '../platform/rules/token-bucket.ts'

/** Open sockets of a user: one in use, and lost sockets whose loss the server has not noticed yet. */
const SOCKETS_PER_USER = 10

export class ConnectionLimits {
  readonly #rate: Rate
  readonly #attempts = new Map<string, TokenBucket>()
  readonly #open = new Map<string, number>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Counts one attempt. Returns false when the user has connected too often. */
  mayConnect(accountId: string, now: number): boolean {
    const bucket = this.#attempts.get(accountId) ?? new TokenBucket(this.#rate, now)
    this.#attempts.set(accountId, bucket)
    return bucket.take(now)
  }

  isFull(accountId: string): boolean {
    return (this.#open.get(accountId) ?? 0) >= SOCKETS_PER_USER
  }

  opened(accountId: string): void {
    this.#open.set(accountId, (this.#open.get(accountId) ?? 0) + 1)
  }

  closed(accountId: string): void {
    const rest = (this.#open.get(accountId) ?? 1) - 1
    if (rest === 0) this.#open.delete(accountId)
    else this.#open.set(accountId, rest)
  }

  /** Removes full buckets: a new bucket is full too. */
  sweep(now: number): void {
    for (const [accountId, bucket] of this.#attempts) if (bucket.isFull(now)) this.#attempts.delete(accountId)
  }
}
