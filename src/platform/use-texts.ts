import type { Translate } from './texts/texts.ts'
import { usePlatform } from './use-platform.ts'

/** Returns the translate function; the component renders again when the language changes. */
export function useTexts(): Translate {
  const { texts } = usePlatform()
  // Signals that `t` reads are not tracked for the component, so the language is read here.
  return texts.language.value && texts.t
}
