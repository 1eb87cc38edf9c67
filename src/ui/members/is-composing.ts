import type { KeyboardEvent } from 'react'

/** Key code of the Enter that confirms a composition in Safari, which has then already ended the composition. */
const COMPOSING_KEY = 229

/** Whether a key event belongs to an input method, for example to confirm a proposal, and not to the field. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === COMPOSING_KEY
}
