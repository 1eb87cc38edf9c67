import { type RefObject, useEffect } from 'react'

/** Puts the focus on a screen that has just opened, where the one before took it along: from there keys and screen readers go on. */
export function useFirstFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) screen.current?.focus({ preventScroll: true })
  }, [screen])
}
