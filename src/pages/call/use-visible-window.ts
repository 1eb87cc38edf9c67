import { type RefObject, useEffect } from 'react'

const KEYBOARD_SHARE = 0.75

/**
 * Sizes the page to the part of the window that the on-screen keyboard leaves free, and sets `data-keyboard` on it while the
 * keyboard is open. Writes straight to the element, without a render.
 */
export function useVisibleWindow(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = page.current
    const viewport = window.visualViewport
    if (!element || !viewport) return
    function follow(): void {
      // Pinch zoom also shrinks the visual viewport and must not change the layout.
      if (!element || !viewport || viewport.scale > 1.01) return
      const typing = document.activeElement instanceof HTMLTextAreaElement
      element.style.setProperty('--visible-height', `${viewport.height}px`)
      element.style.setProperty('--visible-top', `${viewport.offsetTop}px`)
      element.toggleAttribute('data-keyboard', typing && viewport.height < screen.height * KEYBOARD_SHARE)
    }
    follow()
    viewport.addEventListener('resize', follow)
    viewport.addEventListener('scroll', follow)
    element.addEventListener('focusin', follow)
    element.addEventListener('focusout', follow)
    return () => {
      viewport.removeEventListener('resize', follow)
      viewport.removeEventListener('scroll', follow)
      element.removeEventListener('focusin', follow)
      element.removeEventListener('focusout', follow)
    }
  }, [page])
}
