import type { FastifyRequest } from 'fastify'
import { endpoints } from '#protocol/rest.ts'
import type { Partners } from '../matching/rules/ports.ts'
import type { Moderation } from '../moderation/rules/moderation.ts'
import type { SecurityLog } from '../operations/security-log.ts'
import { keyedDigest, tokenTools } from '../platform/crypto.ts'
import { serveApi } from '../platform/http/api.ts'
import { byAccount } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import type { Deletions } from '../privacy/rules/ports.ts'
import type { WordChecks } from '../words/rules/word-checks.ts'
import { type Cookies, createCookies } from './http/cookies.ts'
import type { AccountHttp } from './http/deps.ts'
import { devIdentity } from './http/dev-identity.ts'
import { createJwt, type Jwt } from './http/jwt.ts'
import { locationRoutes } from './http/location-routes.ts'
import type { UserEndpointGroup } from './http/login.ts'
import { loginRoutes } from './http/login-routes.ts'
import { loginSessionRoutes } from './http/login-session-routes.ts'
import { ownProfileRoutes, preferenceRoutes } from './http/own-profile-routes.ts'
import { createPresentedLogin } from './http/presented-login.ts'
import { profileRoutes } from './http/profile-routes.ts'
import { createVerifyIdentity } from './http/providers.ts'
import { signInRoutes } from './http/sign-in-routes.ts'
import { type StartSources, startRoutes } from './http/start-routes.ts'
import { tokenRoutes } from './http/token-routes.ts'
import { createFindCaller, type FindCaller } from './login-checks.ts'
import { createProfilePictures } from './profile-pictures.ts'
import { createAccountRecords } from './records/account-records.ts'
import { RememberedLogins, ROUND_MS } from './remembered-logins.ts'
import { createAliasOf } from './rules/alias.ts'
import type { Login, ReadHubToken } from './rules/login-ports.ts'
import { createEndLogin } from './rules/own-logins.ts'
import type { SignedIn } from './rules/ports.ts'
import type { CheckPicture } from './rules/profile-ports.ts'
import { createSuggestions } from './rules/suggestions.ts'
import { createRefreshTokenIssuer } from './rules/tokens.ts'

type Deps = {
  /** Closes the hub connections of a login that has ended. */
  endOnHub: (login: Login) => void
  security: Pick<SecurityLog, 'record'>
  /** Makes all other servers check the logins of an account again. */
  forgetElsewhere: (accountId: string) => void
  /** False while messages of other servers may be lost on the way to this one. */
  hearsOthers: () => boolean
  seen: (accountId: string) => void
  words: WordChecks
}

type Others = {
  deletions: Pick<Deletions, 'pending'>
  moderation: Pick<Moderation, 'admit' | 'banMinor'>
  start: StartSources
  partnerIn: Partners['partnerIn']
  /** Null without a classifier. */
  checkPicture: CheckPicture | null
}

type CallerDeps = Pick<Deps, 'seen'> & {
  cookies: Cookies
  jwt: Jwt
  findCaller: FindCaller
  remembered: RememberedLogins
}

/**
 * Returns a function that resolves with the caller of a request; null without a valid access token. A login that was
 * checked a moment ago is not checked again.
 */
function createAuthenticate({ cookies, jwt, findCaller, remembered, seen }: CallerDeps) {
  return async (request: FastifyRequest): Promise<SignedIn | null> => {
    const token = cookies.read(request, 'access')
    if (token === undefined) return null
    const known = remembered.get(token)
    if (known) {
      seen(known.account.id)
      return known
    }
    const { mark } = remembered
    const login = await jwt.readAccessToken(token)
    const caller = login && (await findCaller(login))
    if (!caller) return null
    remembered.set(token, login, caller, mark)
    seen(caller.account.id)
    return caller
  }
}

const routes = [
  loginSessionRoutes,
  signInRoutes,
  tokenRoutes,
  loginRoutes,
  profileRoutes,
  ownProfileRoutes,
  preferenceRoutes,
  locationRoutes,
]

/** Composes accounts, profiles, sign-in and logins, and the endpoints of users. */
export function composeAccounts(platform: Platform, deps: Deps) {
  const { endOnHub, forgetElsewhere, hearsOthers, security, seen, words } = deps
  const { app, config, secrets, clock, newId, database, decoder, http, jobs } = platform
  const records = database.records(createAccountRecords)
  const { accounts, profiles, preferences, loginSessions } = records
  const suggest = createSuggestions({ preferences, words, settled: config.moderation, clock })
  const jwt = createJwt(secrets.jwt, clock)
  const signature = keyedDigest(secrets.jwt)
  const cookies = createCookies(http.secureCookies, signature)
  const endLogin = createEndLogin({ loginSessions, endOnHub })
  const refreshTokens = createRefreshTokenIssuer({
    ...records,
    endLogin,
    tools: tokenTools,
    clock,
    newId,
    onReuse: (account) => security.record({ event: 'refresh-token-reused', account }),
  })
  const findCaller = createFindCaller({ accounts, clock })
  const remembered = new RememberedLogins({ clock, hearsOthers, findCaller })
  jobs.every('renewal of remembered logins', ROUND_MS, () => remembered.renew())
  const seeCaller: FindCaller = async (login) => {
    const caller = await findCaller(login)
    if (caller) seen(caller.account.id)
    return caller
  }
  const readHubToken: ReadHubToken = async (token) => {
    const login = await jwt.readHubToken(token)
    const caller = login && (await findCaller(login))
    return caller && { ...login, account: caller.account }
  }

  return {
    accounts,
    profiles,
    aliasOf: createAliasOf(keyedDigest(secrets.alias)),
    signature,
    cookies,
    suggest,
    readHubToken,
    /**
     * To be called when an account or one of its logins has changed on any server; null means any account. The next
     * request of the account checks its login again.
     */
    forgetLogins: (accountId: string | null) => remembered.forget(accountId),

    endpoints({ deletions, moderation, partnerIn, checkPicture, start }: Others): UserEndpointGroup {
      const routeDeps: AccountHttp = {
        ipLookup: config.ipLookup,
        store: { accounts, profiles, preferences, loginSessions, deletions },
        clock,
        newId,
        cookies,
        jwt,
        refreshTokens,
        signature,
        verifyIdentity: createVerifyIdentity(config.providers, jwt, clock.now),
        moderation,
        endLogin,
        loginChanged(accountId, isKnownElsewhere) {
          remembered.forget(accountId)
          if (isKnownElsewhere) forgetElsewhere(accountId)
        },
        presentedLogin: createPresentedLogin({ cookies, jwt, refreshTokens, loginSessions, endLogin, clock }),
        pictures: createProfilePictures({ profiles, decoder, checkPicture }),
        words,
        suggest,
        partnerIn,
        log: platform.log.child({ part: 'http' }),
      }
      return (endpoint) => {
        for (const register of routes) register(endpoint, routeDeps)
        startRoutes(endpoint, routeDeps, { sources: start, findCaller: seeCaller })
      }
    },

    /** Serves the endpoints for users with the handlers in `groups`. */
    serve: (groups: readonly UserEndpointGroup[]) =>
      serveApi(app, {
        ...http,
        scope: 'api',
        table: endpoints,
        authenticate: createAuthenticate({ cookies, jwt, findCaller, remembered, seen }),
        idOf: ({ account }) => account.id,
        limitKey: byAccount,
        groups,
      }),

    /** Serves the development identity provider, for a first run without any other provider. */
    async serveDevelopmentIdentity(): Promise<void> {
      if (config.providers.development)
        await app.register(devIdentity, { jwt, newId, originAllowed: http.originAllowed })
    },
  }
}
