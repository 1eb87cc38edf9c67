import type { Clock } from '../platform/rules/clock.ts'
import type { TokenLogin } from './http/jwt.ts'
import { LOGIN_MS } from './rules/login.ts'
import type { Account, Accounts, SignedInAccount } from './rules/ports.ts'

/** Time from one statement to the next, for which checks gather. */
const GATHER_MS = 10
/** Logins of one statement. */
const LOGINS_MAX = 500

type Waiting = {
  login: TokenLogin
  resolve: (account: Account | null) => void
  reject: (error: unknown) => void
}

/** Reads whether logins that tokens state still exist, many of them in one statement. */
export class LoginChecks {
  readonly #accounts: Pick<Accounts, 'signedInWith'>
  readonly #clock: Clock
  #waiting: Waiting[] = []
  #isGathering = false

  constructor({ accounts, clock }: { accounts: Pick<Accounts, 'signedInWith'>; clock: Clock }) {
    this.#accounts = accounts
    this.#clock = clock
  }

  /** Resolves with the account of the login, null if the login is over. The first check is sent at once. */
  accountOf(login: TokenLogin): Promise<Account | null> {
    const reading = new Promise<Account | null>((resolve, reject) => {
      this.#waiting.push({ login, resolve, reject })
    })
    if (!this.#isGathering) this.#send()
    return reading
  }

  #send(): void {
    const sent = this.#waiting.splice(0, LOGINS_MAX)
    this.#isGathering = sent.length > 0
    if (!this.#isGathering) return
    this.#clock.after(GATHER_MS, () => this.#send())
    void this.#read(sent)
  }

  async #read(sent: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#accounts.signedInWith([...new Set(sent.map(({ login }) => login.sessionId))])
      const bySession = new Map(found.map((one) => [one.sessionId, one]))
      const now = this.#clock.now()
      for (const { login, resolve } of sent) resolve(accountIn(bySession.get(login.sessionId), login, now))
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
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
