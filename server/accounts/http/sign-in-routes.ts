import { VALID } from '#protocol/constants.ts'
import { languageOf } from '../../platform/http/language-of.ts'
import { fieldError } from '../../platform/http/problems.ts'
import type { AccountHttp } from './deps.ts'
import type { UserEndpoint } from './login.ts'
import { requireOwnEmail, sameAddress } from './login.ts'

/**
 * Clear-Site-Data at logout: the browser deletes what the pages have stored, even if the page's own script fails. Does not list "cookies",
 * which would clear the cookies of the operator's whole domain; the server clears its own cookies by name. Does not list "cache": no
 * response with personal data may be cached, and the browser would fetch the page's files again.
 */
const CLEARED_AT_LOGOUT = '"storage"'

export function signInRoutes(endpoint: UserEndpoint, deps: AccountHttp): void {
  const { store, clock, cookies, refreshTokens, presentedLogin, verifyIdentity, moderation, loginChanged } = deps

  endpoint('setTokens', async ({ input, request, reply }) => {
    const { userSessionId: sessionId, userEmailAddress } = input
    if (cookies.readLoginSession(request) !== sessionId)
      throw fieldError('forbidden', 'userSessionId', 'This is not your session')
    const identity = await verifyIdentity(input.source, input.sourceAccessToken)
    if (identity.email === '')
      throw fieldError('email-missing', 'userEmailAddress', 'The identity provider knows no e-mail address')
    if (!sameAddress(identity.email, userEmailAddress))
      throw fieldError('forbidden', 'userEmailAddress', 'The identity provider knows another address')
    const account = await store.accounts.signIn(identity, clock.now())
    await store.accounts.setLanguage(account.id, languageOf(request))
    const earlier = await presentedLogin.owner(request)
    const login = await refreshTokens.open({ accountId: account.id, sessionId })
    // Access tokens of an earlier sign-in in this login session are invalid from now on.
    loginChanged(account.id, earlier !== null)
    if (earlier && (earlier.sessionId !== sessionId || earlier.accountId !== account.id)) await deps.endLogin(earlier)
    await moderation.admit(account.id, { address: request.ip, device: await store.loginSessions.deviceOf(sessionId) })
    cookies.clear(reply, 'profile')
    await presentedLogin.set(reply, login)
  })

  endpoint('addOauthUser', async ({ input, caller }) => {
    requireOwnEmail(caller, 'EmailAddress', input.EmailAddress)
    const { account } = caller
    if (input.SourceName !== account.provider)
      throw fieldError('forbidden', 'SourceName', `You signed in with ${account.provider}`)
    await store.accounts.setNames(account.id, input.FirstName, input.LastName)
    loginChanged(account.id, true)
    const profile = await store.profiles.find(account.id)
    if (!profile) return { message: VALID, profile: null }
    const { nickName, gender, dateOfBirth, isPictureChosen, picture } = profile
    const chosen = isPictureChosen && { picture: picture && Buffer.from(picture.large).toString('base64') }
    return { message: VALID, profile: { nickName, gender, dateOfBirth, ...chosen } }
  })

  endpoint('logout', async ({ input, request, reply }) => {
    const named = input?.UserSessionId
    // A logout that arrives late does not end the login of the user who has signed in on this browser since.
    if (named !== undefined && !cookies.areOf(request, named)) return
    await presentedLogin.end(request, reply)
    reply.header('clear-site-data', CLEARED_AT_LOGOUT)
  })
}
