import { type RefObject, useLayoutEffect } from 'react'

/** Focuses a screen on mount if the focus was lost with the previous one, so that keyboard and reader begin there. */
export function useFirstFocus(screen: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) screen.current?.focus({ preventScroll: true })
  }, [screen])
}
