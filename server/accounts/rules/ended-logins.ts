import { ExpiringMap } from '../../platform/rules/expiring-map.ts'

/** Time for which an ended login is remembered: longer than any authorisation takes. */
const KEEP_MS = 10 * 60_000
const ENTRIES_MAX = 10_000

/** Counts ended logins and blocked accounts, so that an authorisation under way at that time is repeated. */
export class EndedLogins {
  readonly #latest = new ExpiringMap<string, number>(KEEP_MS, ENTRIES_MAX)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(accountId: string, now: number): void {
    this.#count += 1
    this.#latest.set(accountId, this.#count, now)
  }

  /** True when a login of this account ended after `count` was read. */
  hasEndedSince(count: number, accountId: string, now: number): boolean {
    return (this.#latest.get(accountId, now) ?? 0) > count
  }
}
