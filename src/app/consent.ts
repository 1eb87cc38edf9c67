import { cookieChoice, onCookieChoice } from '../platform/state/cookie-choice.ts'

/** Calls `allow` now and at every change of the cookie choice in any tab; true if optional features are allowed. */
export function followConsent(allow: (on: boolean) => void): void {
  const update = () => allow(cookieChoice() === 'all')
  update()
  onCookieChoice(update)
}
