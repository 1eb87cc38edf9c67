import type { Language } from '#protocol/languages.ts'
import type { TextGroup } from './catalogue.ts'
import type { Messages } from './messages.ts'

const catalogue = () => import('./catalogue.ts')

/** The first screen waits for its own texts alone; the list of all others comes after it. */
export async function loadTexts(language: Language, group: TextGroup): Promise<Messages> {
  if (group === 'first' && language === 'en') return (await import('./en/first.ts')).texts
  if (group === 'first' && language === 'es') return (await import('./es/first.ts')).texts
  return (await catalogue()).loadGroup(language, group)
}

/** The list is small, and needed by whatever comes after the first screen. */
export function warmUpTexts(): Promise<unknown> {
  return catalogue()
}
