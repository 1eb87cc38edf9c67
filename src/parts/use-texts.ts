import { useVisitor } from '../stores/stores.ts'
import type { Translate } from '../stores/texts.ts'

/** Returns the translate function; the component renders again when the language changes. */
export function useTexts(): Translate {
  const { texts } = useVisitor()
  // Signals that `t` reads are not tracked for the component, so the language is read here.
  return texts.language.value && texts.t
}
