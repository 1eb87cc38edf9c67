import type { Clock } from '../platform/rules/clock.ts'
import { gathered } from '../platform/rules/gathered.ts'
import type { TokenLogin } from './http/jwt.ts'
import { LOGIN_MS } from './rules/login.ts'
import type { Account, Accounts, SignedInAccount } from './rules/ports.ts'

/** Least time from one statement to the next, for which checks gather. */
const GATHER_MS = 10
/** Logins of one statement. */
const LOGINS_MAX = 500

type Deps = { accounts: Pick<Accounts, 'signedInWith'>; clock: Clock }

/** Reads whether logins that tokens state still exist, many of them in one statement. */
export class LoginChecks {
  /** Resolves with the account of the login, null if the login is over. The first check is sent at once. */
  readonly accountOf: (login: TokenLogin) => Promise<Account | null>

  constructor({ accounts, clock }: Deps) {
    this.accountOf = gathered({
      itemsMax: LOGINS_MAX,
      pace: (next) => void clock.after(GATHER_MS, next),
      async ask(logins: readonly TokenLogin[]) {
        const found = await accounts.signedInWith([...new Set(logins.map(({ sessionId }) => sessionId))])
        const bySession = new Map(found.map((one) => [one.sessionId, one]))
        const now = clock.now()
        return (login) => accountIn(bySession.get(login.sessionId), login, now)
      },
    })
  }
}

/** Returns the account if the login session is still that of this login. */
function accountIn(
  found: SignedInAccount | undefined,
  { accountId, signedInAt, issuedAt }: TokenLogin,
  now: number,
): Account | null {
  if (found?.account.id !== accountId || found.signedInAt !== signedInAt || now >= signedInAt + LOGIN_MS) return null
  return issuedAt < found.account.loginsSince ? null : found.account
}
