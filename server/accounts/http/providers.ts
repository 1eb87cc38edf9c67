import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { NOT_AVAILABLE } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import { tryParse } from '#protocol/parse.ts'
import type { Config } from '../../config/config.ts'
import { fetchJson } from '../../platform/http/fetch-json.ts'
import type { VerifiedIdentity } from '../rules/ports.ts'
import type { Jwt } from './jwt.ts'

/**
 * Resolves with the identity to which the provider issued this access token; `email` is empty if the provider has no verified address.
 * Rejects with `provider-refused`, or with `provider-unavailable` if the provider does not respond in time.
 */
export type VerifyIdentity = (provider: Provider, accessToken: string) => Promise<VerifiedIdentity>

type Verify = (accessToken: string) => Promise<VerifiedIdentity>
type Settings = Config['providers']
type Google = NonNullable<Settings['google']>
type Facebook = NonNullable<Settings['facebook']>

const subjectSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
/** Seconds since 1970; Google sends them as a string. */
const secondsSchema = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer())

const googleSchema = v.object({
  sub: subjectSchema,
  aud: v.string(),
  exp: secondsSchema,
  email: v.optional(v.string(), ''),
  email_verified: v.optional(v.union([v.boolean(), v.string()]), false),
})
const facebookTokenSchema = v.object({
  data: v.object({
    app_id: v.string(),
    is_valid: v.literal(true),
    user_id: subjectSchema,
    /** Facebook issues tokens to pages and apps as well; such tokens are refused. */
    type: v.optional(v.literal('USER'), 'USER'),
    /** 0 for a token that does not expire. */
    expires_at: v.optional(secondsSchema, 0),
  }),
})
const facebookPersonSchema = v.object({
  id: subjectSchema,
  email: v.optional(v.string(), ''),
  first_name: v.optional(v.string(), NOT_AVAILABLE),
  last_name: v.optional(v.string(), NOT_AVAILABLE),
})

function refused(): AppError {
  return new AppError('provider-refused', 'The identity provider does not know this token')
}

export function createVerifyIdentity(settings: Settings, jwt: Jwt, now: () => number): VerifyIdentity {
  const isPast = (seconds: number) => seconds * 1000 <= now()

  async function query<S extends v.GenericSchema<unknown, unknown>>(
    base: string,
    parameters: Record<string, string>,
    schema: S,
  ): Promise<v.InferOutput<S>> {
    const url = new URL(base)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const { ok, body } = await fetchJson(url, settings.timeoutMs)
    const parsed = tryParse(schema, body)
    if (!ok || !parsed.success) throw refused()
    return parsed.output
  }

  async function verifyGoogle({ clientId, tokenInfoUrl }: Google, accessToken: string): Promise<VerifiedIdentity> {
    const token = await query(tokenInfoUrl, { access_token: accessToken }, googleSchema)
    if (token.aud !== clientId || isPast(token.exp)) throw refused()
    const email = token.email_verified === true || token.email_verified === 'true' ? token.email : ''
    return { provider: 'Google', subject: token.sub, email, firstName: NOT_AVAILABLE, lastName: NOT_AVAILABLE }
  }

  async function verifyFacebook(app: Facebook, accessToken: string): Promise<VerifiedIdentity> {
    const { appId, appSecret, graphUrl } = app
    const question = { input_token: accessToken, access_token: `${appId}|${appSecret}` }
    const { data } = await query(`${graphUrl}/debug_token`, question, facebookTokenSchema)
    if (data.app_id !== appId || (data.expires_at !== 0 && isPast(data.expires_at))) throw refused()
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')
    const fields = 'id,email,first_name,last_name'
    const parameters = { fields, access_token: accessToken, appsecret_proof: proof }
    const person = await query(`${graphUrl}/me`, parameters, facebookPersonSchema)
    if (person.id !== data.user_id) throw refused()
    const { email, first_name: firstName, last_name: lastName } = person
    return { provider: 'Facebook', subject: person.id, email, firstName, lastName }
  }

  async function verifyDevelopment(provider: Provider, accessToken: string): Promise<VerifiedIdentity> {
    const claims = await jwt.readDevelopmentToken(accessToken)
    if (claims?.source !== provider) throw refused()
    const { sub: subject, email, firstName, lastName } = claims
    return { provider, subject, email, firstName: firstName || NOT_AVAILABLE, lastName: lastName || NOT_AVAILABLE }
  }

  const { google, facebook, development } = settings
  const verifiers: Record<Provider, Verify | null> = {
    Google: google && ((token) => verifyGoogle(google, token)),
    Facebook: facebook && ((token) => verifyFacebook(facebook, token)),
  }
  return async (provider, accessToken) => {
    if (development) return verifyDevelopment(provider, accessToken)
    const verify = verifiers[provider]
    if (!verify) throw new AppError('provider-refused', `Sign-in with ${provider} is not configured`)
    return verify(accessToken)
  }
}
