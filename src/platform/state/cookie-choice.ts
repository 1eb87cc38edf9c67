import { type Checked, isOneOf } from '#protocol/checks.ts'

const KEY = 'cookieChoice'
const isChoice = isOneOf(['necessary', 'all'])

/** The cookies that the user allows: only necessary ones, or also those for ads and analytics. */
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

/**
 * Reads the choice. Returns a function that stores it again after the storage was cleared. If the user has chosen again
 * meanwhile, it stores the later choice.
 */
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
