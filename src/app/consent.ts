import { cookieChoice, onCookieChoice } from '../platform/state/cookie-choice.ts'

/**
 * Calls `allow` now and at every change of the cookie choice in any tab, with true if the user allows optional
 * features.
 */
export function followConsent(allow: (on: boolean) => void): void {
  const update = () => allow(cookieChoice() === 'all')
  update()
  onCookieChoice(update)
}
