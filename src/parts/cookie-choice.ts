import * as v from 'valibot'
import { parse } from '#protocol/parse.ts'

const KEY = 'cookieChoice'
const choiceSchema = v.fallback(v.nullable(v.picklist(['necessary', 'all'])), null)

/** Which cookies the visitor allows: those that the product needs, or those for ads and analytics too. */
export type CookieChoice = NonNullable<v.InferOutput<typeof choiceSchema>>

const CHOSEN = 'cookie-choice'
/** Where the browser keeps nothing for us, the choice holds until the page is left. */
let unkept: CookieChoice | null = null

/** Null while the visitor has not chosen. */
export function cookieChoice(): CookieChoice | null {
  try {
    return parse(choiceSchema, localStorage.getItem(KEY)) ?? unkept
  } catch {
    return unkept
  }
}

export function chooseCookies(choice: CookieChoice): void {
  unkept = choice
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Storage is blocked or full: asked again at the next visit.
  }
  dispatchEvent(new Event(CHOSEN))
}

/** Reads the choice; the returned function stores it again after something has cleared the browser's storage. */
export function keepCookieChoice(): () => void {
  const choice = cookieChoice()
  return () => {
    if (choice !== null) chooseCookies(choice)
  }
}

/** Hears of a choice in this tab and in others. */
export function onCookieChoice(changed: () => void): () => void {
  addEventListener(CHOSEN, changed)
  addEventListener('storage', changed)
  return () => {
    removeEventListener(CHOSEN, changed)
    removeEventListener('storage', changed)
  }
}
