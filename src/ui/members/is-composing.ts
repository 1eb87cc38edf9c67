import type { KeyboardEvent } from 'react'

/** Safari ends a composition before the key event of the Enter that confirmed it; that event has this key code. */
const COMPOSING_KEY = 229

/** Whether a key belongs to an input method, for example to confirm what it proposes, and not to the field. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === COMPOSING_KEY
}
