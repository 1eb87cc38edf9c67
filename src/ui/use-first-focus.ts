import { type RefObject, useLayoutEffect } from 'react'

/** Focuses a screen on mount if the focus was lost with the previous screen, so that keyboard and screen reader start there. */
export function useFirstFocus(screen: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) screen.current?.focus({ preventScroll: true })
  }, [screen])
}
