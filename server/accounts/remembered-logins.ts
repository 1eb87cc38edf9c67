import { EndedLogins } from '../hub/ended-logins.ts'
import type { Clock } from '../platform/rules/clock.ts'
import { ExpiringMap } from '../platform/rules/expiring-map.ts'
import type { TokenLogin } from './http/jwt.ts'
import type { SignedIn } from './http/login.ts'
import { LOGIN_MS } from './rules/login.ts'
import { ACCESS_TOKEN_MS } from './rules/tokens.ts'

/** Longest time for which the check of a login counts without another one. */
export const REMEMBER_MS = 5_000
const ENTRIES_MAX = 50_000
/** A token expires at the full second before its lifetime ends. */
const ROUNDING_MS = 1_000

type Deps = {
  clock: Clock
  /** False while ends of logins on other servers may not arrive here: nothing is remembered then. */
  hearsOthers: () => boolean
}

/**
 * The callers of access tokens that were checked within `REMEMBER_MS`. An entry does not count any more once `forget` was called for its
 * account, also when the check began before that and ended after it.
 */
export class RememberedLogins {
  readonly #deps: Deps
  readonly #callers = new ExpiringMap<string, { caller: SignedIn; checkedAt: number }>(REMEMBER_MS, ENTRIES_MAX)
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
    const entry = this.#callers.get(token, now)
    if (!entry) return null
    return this.#forgotten.hasEndedSince(entry.checkedAt, entry.caller.account.id, now) ? null : entry.caller
  }

  set(token: string, { issuedAt, signedInAt }: TokenLogin, caller: SignedIn, mark: number): void {
    if (!this.#deps.hearsOthers()) return
    const now = this.#deps.clock.now()
    const validMs = Math.min(issuedAt + ACCESS_TOKEN_MS - ROUNDING_MS, signedInAt + LOGIN_MS) - now
    if (validMs > 0) this.#callers.set(token, { caller, checkedAt: mark }, now, Math.min(REMEMBER_MS, validMs))
  }

  /** The account or one of its logins has changed, or, when it is null, any may have: the next request of each is checked again. */
  forget(accountId: string | null): void {
    if (accountId === null) this.#callers.clear()
    else this.#forgotten.add(accountId, this.#deps.clock.now())
  }
}
