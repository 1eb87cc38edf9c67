import { toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { ToastStore } from '../../platform/state/toasts.ts'

/** Shows in a popup that a sign-in was cancelled, blocked, not reached or refused by the provider's SDK; any other failure stops the page. */
export function showSignInFailure(
  toasts: Pick<ToastStore, 'show' | 'fail'>,
  provider: Provider,
  thrown: unknown,
): void {
  const error = toAppError(thrown)
  if (error.code === 'popup-blocked' || error.code === 'sign-in-cancelled') toasts.show(`toasts.${error.code}`)
  else if (error.code === 'sign-in-unreachable') toasts.show('toasts.sign-in-unreachable', { provider })
  else if (error.code === 'unknown') toasts.show('toasts.sign-in-failed', { provider, reason: error.message })
  // The new login was refused at once. The sign-in page is open already, so nothing else would say it.
  else if (error.code === 'refresh-failed') toasts.show('toasts.sign-in-lost')
  else toasts.fail(error, 'sign-in')
}
