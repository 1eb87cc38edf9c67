import { cookieChoice, onCookieChoice } from '../parts/cookie-choice.ts'

/** Tells, now and at every change in this tab or another, whether the visitor allows what the product can do without. */
export function followConsent(allow: (on: boolean) => void): void {
  const tell = () => allow(cookieChoice() === 'all')
  tell()
  onCookieChoice(tell)
}
