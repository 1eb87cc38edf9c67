import { toAppError } from '#protocol/errors.ts'
import type { Provider } from '#protocol/fields.ts'
import type { NoticeStore } from './notices.ts'

/** Shows in a popup that a sign-in was cancelled, blocked, not reached or refused by the provider's SDK; any other failure stops the page. */
export function showSignInFailure(
  notices: Pick<NoticeStore, 'show' | 'fail'>,
  provider: Provider,
  thrown: unknown,
): void {
  const error = toAppError(thrown)
  if (error.code === 'popup-blocked' || error.code === 'sign-in-cancelled') notices.show(`notices.${error.code}`)
  else if (error.code === 'sign-in-unreachable') notices.show('notices.sign-in-unreachable', { provider })
  else if (error.code === 'unknown') notices.show('notices.sign-in-failed', { provider, reason: error.message })
  // The new login was refused at once. The sign-in page is open already, so nothing else would say it.
  else if (error.code === 'refresh-failed') notices.show('notices.sign-in-lost')
  else notices.fail(error, 'sign-in')
}
