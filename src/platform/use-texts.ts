import type { Translate } from './texts/texts.ts'
import { usePlatform } from './use-platform.ts'

/** Returns the translate function; the component renders again when the language changes. */
export function useTexts(): Translate {
  const { texts } = usePlatform()
  // A component does not track the signals that `t` reads, so the language is read here.
  return texts.language.value && texts.t
}
