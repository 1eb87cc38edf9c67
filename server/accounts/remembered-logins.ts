import { mayChat } from '#protocol/block-status.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { ExpiringMap } from '../platform/rules/expiring-map.ts'
import type { TokenLogin } from './http/jwt.ts'
import type { FindCaller } from './login-checks.ts'
import { EndedLogins } from './rules/ended-logins.ts'
import { LOGIN_MS } from './rules/login-ports.ts'
import type { SignedIn } from './rules/ports.ts'
import { ACCESS_TOKEN_MS } from './rules/tokens.ts'

/** Longest time for which the check of a login is valid. */
export const REMEMBER_MS = 5_000
/** Time between two rounds that check logins in use again. */
export const ROUND_MS = 500
/** Remaining validity below which a round checks a login again: two rounds and their statements. */
const RENEW_BEFORE_MS = 2 * ROUND_MS + 500
/** Longest time between two requests of a login in use: pages send a request every 10 s. */
const IN_USE_MS = 13_000
const ENTRIES_MAX = 50_000
/** A token expires at the full second before its lifetime ends. */
const ROUNDING_MS = 1_000

type Entry = {
  readonly login: TokenLogin
  caller: SignedIn
  /** The value of `mark` when the check began. */
  checkedAt: number
  /** When the check becomes invalid. */
  until: number
  usedAt: number
}

type Deps = {
  clock: Clock
  /** False while news of logins that ended on other servers may be lost: nothing is remembered then. */
  hearsOthers: () => boolean
  findCaller: FindCaller
}

/**
 * The callers of access tokens that were checked within `REMEMBER_MS`. `forget` removes the entries of an account, and
 * the result of a check of that account that is under way is not used. `renew` checks a login in use again before its
 * check becomes invalid, so that its requests do not wait.
 */
export class RememberedLogins {
  readonly #deps: Deps
  readonly #entries = new ExpiringMap<string, Entry>(IN_USE_MS, ENTRIES_MAX)
  readonly #inUse = new Map<string, Entry>()
  readonly #forgotten = new EndedLogins()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** To be read before a check begins, and given to `set` after it. */
  get mark(): number {
    return this.#forgotten.count
  }

  get(token: string): SignedIn | null {
    const now = this.#deps.clock.now()
    if (!this.#deps.hearsOthers()) this.forget(null)
    const entry = this.#entries.get(token, now)
    if (!entry || !this.#counts(entry, now)) return null
    if (now > entry.usedAt) this.#use(token, entry, now)
    return entry.caller
  }

  /** Remembers a check. Does nothing for a suspended user, so that each change of the status shows at once. */
  set(token: string, login: TokenLogin, caller: SignedIn, mark: number): void {
    if (!this.#deps.hearsOthers()) return
    const now = this.#deps.clock.now()
    const until = untilOf(login, now)
    if (until <= now || !mayChat(caller.account.status)) return
    const entry: Entry = { login, caller, checkedAt: mark, until, usedAt: now }
    if (this.#entries.get(token, now)) this.#use(token, entry, now)
    else this.#entries.set(token, entry, now)
  }

  /** To be called when the account or one of its logins has changed; null means any account. The next request checks the login again. */
  forget(accountId: string | null): void {
    if (accountId !== null) {
      this.#forgotten.add(accountId, this.#deps.clock.now())
      return
    }
    this.#entries.clear()
    this.#inUse.clear()
  }

  /** Checks the logins in use whose check will soon be invalid. To be called every `ROUND_MS`; resolves when all checks have ended. */
  async renew(): Promise<void> {
    if (!this.#deps.hearsOthers()) this.forget(null)
    const now = this.#deps.clock.now()
    const renewals: Promise<void>[] = []
    for (const [token, entry] of this.#inUse) {
      if (now - entry.usedAt >= IN_USE_MS || !this.#counts(entry, now)) this.#inUse.delete(token)
      else if (entry.until - now < RENEW_BEFORE_MS) renewals.push(this.#renew(token, entry, now))
    }
    // If a check fails, its entry expires, and the next request gets the error.
    await Promise.allSettled(renewals)
  }

  #counts({ caller, checkedAt, until }: Entry, now: number): boolean {
    return now < until && !this.#forgotten.hasEndedSince(checkedAt, caller.account.id, now)
  }

  #use(token: string, entry: Entry, now: number): void {
    entry.usedAt = now
    this.#entries.set(token, entry, now)
    this.#inUse.set(token, entry)
  }

  async #renew(token: string, entry: Entry, now: number): Promise<void> {
    const { mark } = this
    const caller = await this.#deps.findCaller(entry.login)
    // A request may have replaced the entry, or all entries may have been removed because the connection to other servers was lost.
    if (this.#inUse.get(token) !== entry || !this.#deps.hearsOthers()) return
    if (!caller || !mayChat(caller.account.status)) {
      this.#inUse.delete(token)
      this.#entries.delete(token)
      return
    }
    entry.caller = caller
    entry.checkedAt = mark
    entry.until = untilOf(entry.login, now)
  }
}

/** Returns when a check that began at `now` becomes invalid, which is never after its token expires. */
function untilOf({ issuedAt, signedInAt }: TokenLogin, now: number): number {
  return Math.min(now + REMEMBER_MS, issuedAt + ACCESS_TOKEN_MS - ROUNDING_MS, signedInAt + LOGIN_MS)
}
