import type * as v from 'valibot'
import { developmentIdentitySchema } from '#protocol/development-identity.ts'
import { AppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { PageConfig } from '#protocol/page-config.ts'
import { tryParse } from '#protocol/parse.ts'
import { span } from '#workers/trace.ts'
import type { IdentityProvider } from '../ports.ts'
import { createFacebookIdentity } from './facebook-identity.ts'
import { createGoogleIdentity } from './google-identity.ts'
import { orNotAvailable } from './provider-sdk.ts'

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

const CLOSED_POLL_MS = 500

/** Signs in with the server's development page, a popup that posts a message. Replaces every provider. */
export function createDevelopmentIdentity(source: Provider): IdentityProvider<Window> {
  return {
    async signIn({ window: popup }) {
      popup.location.replace(`/dev-identity?source=${source}`)
      const identity = await resultOf(popup)
      if (!identity) throw new AppError('sign-in-cancelled')
      return {
        source,
        accessToken: identity.accessToken,
        emailAddress: orNotAvailable(identity.email),
        firstName: orNotAvailable(identity.firstName),
        lastName: orNotAvailable(identity.lastName),
        profilePictureUrl: identity.pictureUrl,
      }
    },
  }
}

type DevelopmentIdentity = v.InferOutput<typeof developmentIdentitySchema>['identity']

/** Resolves with the popup's message; null if it was closed without one. Polls, since no event reports a close. */
function resultOf(popup: Window): Promise<DevelopmentIdentity> {
  return new Promise((resolve) => {
    function settle(identity: DevelopmentIdentity): void {
      clearInterval(poll)
      window.removeEventListener('message', receive)
      popup.close()
      resolve(identity)
    }
    function receive(event: MessageEvent<unknown>): void {
      if (event.origin !== location.origin || event.source !== popup) return
      const parsed = tryParse(developmentIdentitySchema, event.data)
      if (!parsed.success) return
      const { identity, sentAt } = parsed.output
      if (sentAt !== undefined) span('Sign-in', "window's message", sentAt - performance.timeOrigin)
      settle(identity)
    }
    window.addEventListener('message', receive)
    const poll = setInterval(() => {
      if (popup.closed) settle(null)
    }, CLOSED_POLL_MS)
  })
}
