import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { NOT_AVAILABLE } from '#protocol/constants.ts'
import { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { VerifiedIdentity } from '../domain/ports.ts'
import type { Jwt } from './jwt.ts'

/** Below the 10 s that the browser waits for this call. */
const PROVIDER_TIMEOUT_MS = 8_000

/**
 * Asks the provider whose access token this is. The address is empty where the provider knows none.
 * Rejects with `provider-refused`, or `unavailable` when the provider does not answer.
 */
export type VerifyIdentity = (provider: Provider, accessToken: string) => Promise<VerifiedIdentity>

type ProviderSettings = {
  google: { clientId: string; tokenInfoUrl: string } | null
  facebook: { appId: string; appSecret: string; graphUrl: string } | null
  development: boolean
}

const googleSchema = v.object({
  sub: v.pipe(v.string(), v.nonEmpty()),
  aud: v.string(),
  email: v.optional(v.string(), ''),
  email_verified: v.optional(v.union([v.boolean(), v.string()]), false),
})
const facebookTokenSchema = v.object({
  data: v.object({ app_id: v.string(), is_valid: v.literal(true), user_id: v.string() }),
})
const facebookPersonSchema = v.object({
  id: v.string(),
  email: v.optional(v.string(), ''),
  first_name: v.optional(v.string(), NOT_AVAILABLE),
  last_name: v.optional(v.string(), NOT_AVAILABLE),
})

async function ask<S extends v.GenericSchema<unknown, unknown>>(
  base: string,
  query: Record<string, string>,
  schema: S,
): Promise<v.InferOutput<S>> {
  const url = new URL(base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  let answer: unknown
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS), redirect: 'error' })
    if (response.status >= 500) throw new Error(`status ${response.status}`)
    answer = await response.json()
  } catch {
    throw new AppError('unavailable', 'The identity provider does not answer')
  }
  const parsed = v.safeParse(schema, answer)
  if (!parsed.success) throw refused()
  return parsed.output
}

function refused(): AppError {
  return new AppError('provider-refused', 'The identity provider does not know this token')
}

function askGoogle({ clientId, tokenInfoUrl }: { clientId: string; tokenInfoUrl: string }) {
  return async (accessToken: string): Promise<VerifiedIdentity> => {
    const answer = await ask(tokenInfoUrl, { access_token: accessToken }, googleSchema)
    if (answer.aud !== clientId) throw refused()
    const verified = answer.email_verified === true || answer.email_verified === 'true'
    return {
      provider: 'Google',
      subject: answer.sub,
      email: verified ? answer.email : '',
      firstName: NOT_AVAILABLE,
      lastName: NOT_AVAILABLE,
    }
  }
}

function askFacebook({ appId, appSecret, graphUrl }: { appId: string; appSecret: string; graphUrl: string }) {
  return async (accessToken: string): Promise<VerifiedIdentity> => {
    const { data } = await ask(
      `${graphUrl}/debug_token`,
      { input_token: accessToken, access_token: `${appId}|${appSecret}` },
      facebookTokenSchema,
    )
    if (data.app_id !== appId) throw refused()
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')
    const query = { fields: 'id,email,first_name,last_name', access_token: accessToken, appsecret_proof: proof }
    const person = await ask(`${graphUrl}/me`, query, facebookPersonSchema)
    if (person.id !== data.user_id) throw refused()
    const { email, first_name: firstName, last_name: lastName } = person
    return { provider: 'Facebook', subject: person.id, email, firstName, lastName }
  }
}

function askDevelopment(provider: Provider, jwt: Jwt) {
  return async (accessToken: string): Promise<VerifiedIdentity> => {
    const claims = await jwt.readDevelopmentToken(accessToken)
    if (claims?.source !== provider) throw refused()
    const { sub: subject, email, firstName, lastName } = claims
    return { provider, subject, email, firstName: firstName || NOT_AVAILABLE, lastName: lastName || NOT_AVAILABLE }
  }
}

export function createVerifyIdentity(providers: ProviderSettings, jwt: Jwt): VerifyIdentity {
  const development = (provider: Provider) => (providers.development ? askDevelopment(provider, jwt) : null)
  const askers = {
    Google: providers.google ? askGoogle(providers.google) : development('Google'),
    Facebook: providers.facebook ? askFacebook(providers.facebook) : development('Facebook'),
  }
  return async (provider, accessToken) => {
    const asker = askers[provider]
    if (!asker) throw new AppError('provider-refused', `Sign-in with ${provider} is not configured`)
    return asker(accessToken)
  }
}
