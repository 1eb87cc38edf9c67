import { useVisitor } from '../stores/stores.ts'
import type { Translate } from '../stores/texts.ts'

/** Looks texts up; whoever asks is drawn again when another language is chosen. */
export function useTexts(): Translate {
  const { texts } = useVisitor()
  // What `t` reads while the component is drawn would not count as read by it.
  return texts.language.value && texts.t
}
