import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A control that is disabled while something is done loses the focus. Returns the focus to it afterwards, or gives it to `substitute`
 * where the control is gone.
 */
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
