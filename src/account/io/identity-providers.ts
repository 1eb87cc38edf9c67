import { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import type { IdentityProvider } from '../ports.ts'
import { createDevelopmentIdentity } from './development-identity.ts'
import { createFacebookIdentity } from './facebook-identity.ts'
import { createGoogleIdentity } from './google-identity.ts'

type Configured = PageConfig['providers']

const creators: Record<Provider, (configured: Configured) => IdentityProvider<Window> | null> = {
  Google: ({ google }) => google && createGoogleIdentity(google.clientId),
  Facebook: ({ facebook }) => facebook && createFacebookIdentity(facebook.appId),
}

/** Creates the provider, or the development sign-in instead. Throws if the provider is not configured. */
export function createIdentityProvider(source: Provider, configured: Configured): IdentityProvider<Window> {
  const provider = configured.development ? createDevelopmentIdentity(source) : creators[source](configured)
  if (!provider) throw new AppError('unknown', `${source} is not configured`)
  return provider
}
