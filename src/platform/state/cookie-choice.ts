import { type Checked, isOneOf } from '#protocol/checks.ts'

const KEY = 'cookieChoice'
const isChoice = isOneOf(['necessary', 'all'])

/** The cookies that the user allows: only necessary cookies, or cookies for ads and analytics too. */
export type CookieChoice = Checked<typeof isChoice>

const CHOSEN = 'cookie-choice'
/** The choice if the storage is unavailable, or if a logout has cleared it. It is lost when the page is unloaded. */
let unkept: CookieChoice | null = null

/** Returns null if the user has not chosen yet. */
export function cookieChoice(): CookieChoice | null {
  try {
    const stored = localStorage.getItem(KEY)
    return isChoice(stored) ? stored : unkept
  } catch {
    return unkept
  }
}

export function chooseCookies(choice: CookieChoice): void {
  unkept = choice
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Storage is blocked or full, so the banner asks again at the next visit.
  }
  dispatchEvent(new Event(CHOSEN))
}

/** Reads the choice. Returns a function that stores it, or a later choice, again after the browser's storage was cleared. */
export function keepCookieChoice(): () => void {
  unkept = cookieChoice()
  return () => {
    if (unkept !== null) chooseCookies(unkept)
  }
}

/** Calls `changed` at each choice in this tab or another. Returns a function that unsubscribes. */
export function onCookieChoice(changed: () => void): () => void {
  addEventListener(CHOSEN, changed)
  addEventListener('storage', changed)
  return () => {
    removeEventListener(CHOSEN, changed)
    removeEventListener('storage', changed)
  }
}

/** Calls `allow` now and at every change of the cookie choice in any tab; true if optional features are allowed. */
export function followConsent(allow: (on: boolean) => void): void {
  const update = () => allow(cookieChoice() === 'all')
  update()
  onCookieChoice(update)
}
