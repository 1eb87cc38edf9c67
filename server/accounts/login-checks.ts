import type { Clock } from '../platform/rules/clock.ts'
import { gathered } from '../platform/rules/gathered.ts'
import type { TokenLogin } from './http/jwt.ts'
import type { SignedIn } from './http/login.ts'
import { LOGIN_MS } from './rules/login.ts'
import type { Accounts, SignedInAccount } from './rules/ports.ts'

/** Least time from one statement to the next, for which checks gather. */
const GATHER_MS = 10
/** Logins of one statement. */
const LOGINS_MAX = 500

/** Resolves with the caller whose login a token states, null if that login is over. */
export type FindCaller = (login: TokenLogin) => Promise<SignedIn | null>

/** Returns a function that reads callers, many of them in one statement. The first check is sent at once. */
export function createFindCaller({
  accounts,
  clock,
}: {
  accounts: Pick<Accounts, 'signedInWith'>
  clock: Clock
}): FindCaller {
  return gathered({
    itemsMax: LOGINS_MAX,
    pace: (next) => void clock.after(GATHER_MS, next),
    async ask(logins: readonly TokenLogin[]) {
      const found = await accounts.signedInWith([...new Set(logins.map(({ sessionId }) => sessionId))])
      const bySession = new Map(found.map((one) => [one.sessionId, one]))
      const now = clock.now()
      return (login) => callerIn(bySession.get(login.sessionId), login, now)
    },
  })
}

/** Returns the caller if the login session is still that of this login. */
function callerIn(found: SignedInAccount | undefined, login: TokenLogin, now: number): SignedIn | null {
  const { accountId, sessionId, signedInAt, issuedAt } = login
  if (found?.account.id !== accountId || found.signedInAt !== signedInAt || now >= signedInAt + LOGIN_MS) return null
  return issuedAt < found.account.loginsSince ? null : { account: found.account, sessionId, signedInAt }
}
