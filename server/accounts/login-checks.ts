import type { Clock } from '../platform/rules/clock.ts'
import { gathered } from '../platform/rules/gathered.ts'
import type { TokenLogin } from './http/jwt.ts'
import { LOGIN_MS } from './rules/login-ports.ts'
import type { Accounts, SignedIn } from './rules/ports.ts'

/** Least time from the start of one statement to the start of the next; checks in between go into the next statement. */
const GATHER_MS = 10
/** Most logins that one statement checks. */
const LOGINS_MAX = 500

/** Resolves with the caller whose login a token states, null if that login is over. */
export type FindCaller = (login: TokenLogin) => Promise<SignedIn | null>

type Deps = { accounts: Pick<Accounts, 'signedInWith'>; clock: Clock }

/** Returns a function that reads the callers of concurrent checks in one statement. The first check is sent at once. */
export function createFindCaller({ accounts, clock }: Deps): FindCaller {
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

/** Returns null if the login session belongs to another login now. */
function callerIn(found: SignedIn | undefined, { accountId, signedInAt, issuedAt }: TokenLogin, now: number) {
  if (found?.account.id !== accountId || found.signedInAt !== signedInAt || now >= signedInAt + LOGIN_MS) return null
  return issuedAt < found.account.loginsSince ? null : found
}
