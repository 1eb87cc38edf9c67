import { type RefObject, useEffect } from 'react'

const KEYBOARD_SHARE = 0.75

/**
 * While a text field of the page has the focus, sizes the page to the part of the window that the on-screen keyboard leaves free, and
 * sets `data-keyboard` on it if there is a keyboard. Only Chromium and Firefox resize the page by themselves
 * (`interactive-widget=resizes-content`); iOS covers it. Writes straight to the element, without a render.
 */
export function useVisibleWindow(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = page.current
    const viewport = window.visualViewport
    if (!element || !viewport) return
    return followKeyboard(element, viewport)
  }, [page])
}

/** Returns a function that stops. */
function followKeyboard(page: HTMLElement, viewport: VisualViewport): () => void {
  function follow(): void {
    // Pinch zoom also shrinks the visual viewport and must not change the layout.
    if (viewport.scale > 1.01) return
    const focused = document.activeElement
    const typing = focused?.matches('textarea, input') === true && page.contains(focused)
    page.toggleAttribute('data-keyboard', typing && viewport.height < screen.height * KEYBOARD_SHARE)
    if (typing) {
      page.style.setProperty('--visible-height', `${viewport.height}px`)
      page.style.setProperty('--visible-top', `${viewport.offsetTop}px`)
    } else {
      page.style.removeProperty('--visible-height')
      page.style.removeProperty('--visible-top')
    }
  }
  const stop = new AbortController()
  const { signal } = stop
  viewport.addEventListener('resize', follow, { signal })
  viewport.addEventListener('scroll', follow, { signal })
  page.addEventListener('focusin', follow, { signal })
  page.addEventListener('focusout', follow, { signal })
  follow()
  return () => stop.abort()
}
