import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns the focus to a control that lost it while disabled by `busy`; to `substitute` if it was removed. */
export function useFocusReturn(busy: boolean, substitute?: RefObject<HTMLElement | null>): void {
  const left = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (busy) {
      left.current = document.activeElement
      return
    }
    const target = left.current
    left.current = null
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (!(target instanceof HTMLElement) || !isLost) return
    if (target.isConnected) target.focus()
    else substitute?.current?.focus()
  }, [busy, substitute])
}
