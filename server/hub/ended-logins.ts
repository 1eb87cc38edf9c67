import { ExpiringMap } from '../platform/rules/expiring-map.ts'

/** Longer than any admission takes. */
const REMEMBER_MS = 10 * 60_000
const REMEMBERED_MAX = 10_000

/** Numbers the endings of logins and accounts, so that an admission that was under way can be repeated for the account that it concerns. */
export class EndedLogins {
  readonly #latest = new ExpiringMap<string, number>(REMEMBER_MS, REMEMBERED_MAX)
  #count = 0

  get count(): number {
    return this.#count
  }

  note(accountId: string, now: number): void {
    this.#count += 1
    this.#latest.set(accountId, this.#count, now)
  }

  /** True when a login of this account ended after `count` was read. */
  hasEndedSince(count: number, accountId: string, now: number): boolean {
    return (this.#latest.get(accountId, now) ?? 0) > count
  }
}
