import { jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import { MINUTE_MS } from '#protocol/durations.ts'
import { providerSchema } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Clock } from '../../platform/rules/clock.ts'
import { ExpiringMap } from '../../platform/rules/expiring-map.ts'
import type { SignedLogin } from '../rules/login-ports.ts'
import { ACCESS_TOKEN_MS, HUB_TOKEN_MS } from '../rules/tokens.ts'

const DEVELOPMENT_TOKEN_MS = 5 * MINUTE_MS
/** Access tokens that are remembered as verified; each takes half a kilobyte. */
const VERIFIED_MAX = 50_000

const loginSchema = v.object({
  sub: v.string(),
  sid: v.string(),
  auth_time: v.number(),
  iat: v.number(),
  exp: v.number(),
})
const developmentSchema = v.object({
  sub: v.string(),
  source: providerSchema,
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
})
type DevelopmentClaims = v.InferOutput<typeof developmentSchema>

/** A login as a token states it; `issuedAt` is when the token was signed, in milliseconds since 1970. */
export type TokenLogin = SignedLogin & { issuedAt: number }

type Purpose = 'access' | 'hub' | 'development-identity'

export type Jwt = ReturnType<typeof createJwt>

/** Signs and verifies tokens. The audience of a token is its purpose; a token of another purpose is invalid. */
export function createJwt(secret: string, clock: Clock) {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  // Imported once: an import takes a third of the time of a verification.
  const imported = crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign', 'verify'])

  async function make(purpose: Purpose, claims: Record<string, string | number>, lifetimeMs: number): Promise<string> {
    const now = clock.now()
    return (
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(purpose)
        // With milliseconds, since a login can end within the second in which its token was signed.
        .setIssuedAt(now / 1000)
        .setExpirationTime(Math.floor((now + lifetimeMs) / 1000))
        .sign(await imported)
    )
  }

  async function read(purpose: Purpose, token: string): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(token, await imported, {
        algorithms: ['HS256'],
        audience: purpose,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch {
      return null
    }
  }

  async function readLogin(purpose: Purpose, token: string): Promise<{ login: TokenLogin; until: number } | null> {
    const claims = tryParse(loginSchema, await read(purpose, token))
    if (!claims.success) return null
    const { sub: accountId, sid: sessionId, auth_time: signedIn, iat, exp } = claims.output
    const [signedInAt, issuedAt] = [Math.round(signedIn * 1000), Math.round(iat * 1000)]
    return { login: { accountId, sessionId, signedInAt, issuedAt }, until: exp * 1000 }
  }

  /** Access tokens that were verified before. A page sends the same token hundreds of times, and its content never changes. */
  const verified = new ExpiringMap<string, TokenLogin>(ACCESS_TOKEN_MS, VERIFIED_MAX)

  async function readAccessToken(token: string): Promise<TokenLogin | null> {
    const known = verified.get(token, clock.now())
    if (known) return known
    const read = await readLogin('access', token)
    if (!read) return null
    const now = clock.now()
    verified.set(token, read.login, now, read.until - now)
    return read.login
  }

  const claimsOf = ({ accountId, sessionId, signedInAt }: SignedLogin) => ({
    sub: accountId,
    sid: sessionId,
    auth_time: signedInAt / 1000,
  })

  return {
    makeAccessToken: (login: SignedLogin): Promise<string> => make('access', claimsOf(login), ACCESS_TOKEN_MS),
    /**
     * Resolves with null for a token that is missing, forged, expired or of another purpose, as the other functions
     * here that read a token do.
     */
    readAccessToken: async (token: string | undefined) => (token ? readAccessToken(token) : null),
    makeHubToken: (login: SignedLogin): Promise<string> => make('hub', claimsOf(login), HUB_TOKEN_MS),
    readHubToken: async (token: string): Promise<TokenLogin | null> => (await readLogin('hub', token))?.login ?? null,
    makeDevelopmentToken: (claims: DevelopmentClaims): Promise<string> =>
      make('development-identity', claims, DEVELOPMENT_TOKEN_MS),
    async readDevelopmentToken(token: string): Promise<DevelopmentClaims | null> {
      const claims = tryParse(developmentSchema, await read('development-identity', token))
      return claims.success ? claims.output : null
    },
  }
}
