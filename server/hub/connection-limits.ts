import { type Rate, TokenBuckets } from '../platform/rules/token-bucket.ts'

/** Open sockets of a user: one in use, and lost sockets whose loss the server has not noticed yet. */
const SOCKETS_PER_USER = 10

export class ConnectionLimits {
  readonly #attempts: TokenBuckets
  readonly #open = new Map<string, number>()

  constructor(rate: Rate) {
    this.#attempts = new TokenBuckets(rate)
  }

  /** Counts one attempt. Returns false when the user has connected too often. */
  mayConnect(accountId: string, now: number): boolean {
    return this.#attempts.allows(accountId, now)
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

  sweep(now: number): void {
    this.#attempts.sweep(now)
  }
}
