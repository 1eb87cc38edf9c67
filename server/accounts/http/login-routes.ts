import { AppError } from '#protocol/errors.ts'
import { SIGN_IN_AGAIN_RATE } from '../../platform/http/rate-limits.ts'
import type { Login } from '../rules/login-ports.ts'
import { createOwnLogins } from '../rules/own-logins.ts'
import type { SignedIn } from '../rules/ports.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'

const loginOf = ({ account, sessionId }: SignedIn): Login => ({ accountId: account.id, sessionId })

export function loginRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { store, clock, cookies, verifyIdentity, endLogin, loginChanged, presentedLogin, signature } = deps
  const logins = createOwnLogins({ loginSessions: store.loginSessions, endLogin, digest: signature, clock })

  endpoint('readLogins', async ({ caller }) => ({
    source: caller.account.provider,
    logins: await logins.list(loginOf(caller)),
  }))

  endpoint('endLogin', ({ input, caller }) => logins.end(loginOf(caller), input.id))

  endpoint('endOtherLogins', ({ caller }) => logins.endOthers(loginOf(caller)))

  endpoint(
    'signInAgain',
    async ({ input, caller: { account, sessionId }, request, reply }) => {
      const { provider, subject } = await verifyIdentity(input.source, input.sourceAccessToken)
      if (provider !== account.provider || subject !== account.subject) throw new AppError('other-account')
      const confirmed = await store.loginSessions.confirmSignIn(sessionId, account.id, clock.now())
      loginChanged(account.id, true)
      // Rotates the refresh token too: a stolen copy of the old token gets no fresh sign-in, and its next use counts as a reuse.
      const rotation = confirmed ? await presentedLogin.rotate(request) : null
      if (rotation?.accountId !== account.id || rotation.sessionId !== sessionId) {
        cookies.clear(reply, 'access', 'refresh')
        throw new AppError('login-required')
      }
      await presentedLogin.set(reply, rotation)
    },
    SIGN_IN_AGAIN_RATE,
  )
}
