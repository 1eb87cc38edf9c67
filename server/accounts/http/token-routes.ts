import { AppError } from '#protocol/errors.ts'
import { REFRESH_RATE } from '../../platform/http/rate-limits.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { checkMayChat, requireOwnLoginSession } from './login.ts'

/** Returned in place of a token that exists; the token itself never leaves its HttpOnly cookie. */
const PRESENT = 'present'

export function tokenRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { store, cookies, jwt, refreshTokens, presentedLogin } = deps

  endpoint('validateAccessToken', async () => undefined)

  endpoint('readAccessToken', () => ({ cookieValue: PRESENT }))

  endpoint('readRefreshToken', async ({ request }) => {
    const token = cookies.read(request, 'refresh')
    return { cookieValue: token !== undefined && (await refreshTokens.isKnown(token)) ? PRESENT : '' }
  })

  endpoint('deleteRefreshToken', async ({ request, reply }) => {
    const token = cookies.read(request, 'refresh')
    if (token !== undefined) await refreshTokens.revoke(token)
    cookies.clear(reply, 'refresh')
  })

  endpoint(
    'refreshAccessToken',
    async ({ request, reply }) => {
      if (!(await presentedLogin.refresh(request, reply))) throw new AppError('login-required')
    },
    REFRESH_RATE,
  )

  endpoint('readHubToken', async ({ input, caller }) => {
    const { account, sessionId, signedInAt } = caller
    requireOwnLoginSession(caller, 'userSessionId', input.userSessionId)
    await checkMayChat(store, account)
    return { hubConnectionAccessToken: await jwt.makeHubToken({ accountId: account.id, sessionId, signedInAt }) }
  })
}
