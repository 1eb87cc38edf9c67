import { type ReadonlySignal, signal } from '@preact/signals-react'
import { NOT_AVAILABLE, VALID } from '#protocol/constants.ts'
import { AppError, toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { Api } from '../../platform/ports.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'
import type { VisitStore } from '../../platform/state/visit.ts'
import { webpBlob } from '../../platform/state/webp-blob.ts'
import type { Identity, IdentityProvider, IdentityProviders, OpenSignInWindow } from '../ports.ts'
import type { LoginSession } from './login-session.ts'
import type { User } from './user.ts'

export type SignInPorts = { api: Api; providers: IdentityProviders<Window> }

/** Signing in with an identity provider. */
export function createSignIn(
  { api, providers }: SignInPorts,
  visit: Pick<VisitStore, 'userSessionId'>,
  toasts: ToastStore,
  user: User,
  session: LoginSession,
) {
  const { email, picture } = user
  const signingIn = signal(false)

  /** Resolves with false if the entry could not be stored; the error popup shows the failure. */
  async function hasEntered(entered: Promise<void>): Promise<boolean> {
    try {
      await entered
      return true
    } catch (thrown) {
      toasts.fail(thrown, 'start-up')
      return false
    }
  }

  async function register(identity: Identity): Promise<void> {
    const { emailAddress, source } = identity
    await openLogin(identity)
    if (emailAddress !== email.peek()) {
      user.forget()
      await user.clearStored()
    }
    const [known] = await Promise.all([
      api.request('addOauthUser', {
        EmailAddress: emailAddress,
        FirstName: identity.firstName,
        LastName: identity.lastName,
        SourceName: source,
      }),
      picture.keep(identity.profilePictureUrl),
    ])
    // A picture that the user has chosen replaces the provider's picture.
    const chosen = known.profile?.picture
    if (chosen !== undefined) await picture.take(chosen === null ? null : webpBlob(chosen))
    user.first.forget()
    email.value = emailAddress
    user.profile.value = known.profile
  }

  /**
   * Opens a login in the visit's login session with the provider's token. Rejects with `email-missing` if the provider
   * gives no e-mail address.
   */
  async function openLogin({ emailAddress, accessToken, source }: Identity): Promise<void> {
    if (emailAddress === '' || emailAddress === NOT_AVAILABLE) throw new AppError('email-missing')

    const setTokens = () =>
      api.request('setTokens', {
        userEmailAddress: emailAddress,
        userSessionId: visit.userSessionId.peek(),
        sourceAccessToken: accessToken,
        platformType: 'Web',
        source,
      })
    const tokens = await setTokens().catch(async (thrown: unknown) => {
      if (toAppError(thrown).code !== 'forbidden' || !(await session.entry.takeUpOther())) throw thrown
      return setTokens()
    })
    if (tokens.message !== VALID) throw new AppError('invalid-response', 'No token from the server')
  }

  return {
    signingIn: signingIn as ReadonlySignal<boolean>,

    /**
     * Resolves with true if the user is signed in and the welcome screen follows. If the user closes the popup, only
     * the spinner ends. Call it during a click, in which `open` opens the window.
     */
    async signIn(source: Provider, open: OpenSignInWindow<Window>): Promise<boolean> {
      const provider = providers[source]
      if (!provider || signingIn.peek()) return false
      signingIn.value = true
      const entered = session.ready()
      // A failure of the entry is handled after the popup, which the user sees at once.
      entered.catch(() => {})
      try {
        const identity = await identify(provider, open)
        if (!(await hasEntered(entered))) return false
        await register(identity)
        return true
      } catch (thrown) {
        showSignInFailure(toasts, source, thrown)
        return false
      } finally {
        signingIn.value = false
      }
    },
  }
}

/** Signs in with a provider in a window that `open` opens, and closes the window at the end. Call it during a click. */
export async function identify(
  load: () => Promise<IdentityProvider<Window>>,
  open: OpenSignInWindow<Window>,
): Promise<Identity> {
  const popup = await open()
  if (!popup) throw new AppError('popup-blocked')
  try {
    const provider = await popup.whileOpen(load())
    return await provider.signIn(popup)
  } finally {
    popup.close()
  }
}

/** Shows a toast if the sign-in was cancelled, blocked, unreachable or refused. Other failures stop the page. */
function showSignInFailure(toasts: Pick<ToastStore, 'show' | 'fail'>, provider: Provider, thrown: unknown): void {
  const error = toAppError(thrown)
  if (error.code === 'popup-blocked' || error.code === 'sign-in-cancelled') toasts.show(`toasts.${error.code}`)
  else if (error.code === 'sign-in-unreachable') toasts.show('toasts.sign-in-unreachable', { provider })
  else if (error.code === 'unknown') toasts.show('toasts.sign-in-failed', { provider, reason: error.message })
  // The new login was refused at once. The sign-in page is already open, so only this toast tells the user.
  else if (error.code === 'refresh-failed') toasts.show('toasts.sign-in-lost')
  else toasts.fail(error, 'sign-in')
}
