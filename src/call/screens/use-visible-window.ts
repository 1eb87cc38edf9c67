import { type RefObject, useLayoutEffect } from 'react'

/** No on-screen keyboard is lower, also not a phone's in landscape. Bars of the browser and of a separate keyboard are at most 56. */
const KEYBOARD_MIN_PX = 120

/**
 * While the on-screen keyboard is open for a text field of the page, sizes the page to the part of the window that is left free, and sets
 * `data-keyboard` on it. Only Chromium and Firefox resize the page by themselves (`interactive-widget=resizes-content`); iOS covers it.
 * Writes straight to the element, without a render.
 */
export function useVisibleWindow(page: RefObject<HTMLElement | null>): void {
  // Before the first paint: a field that is focused earlier would leave the height without a keyboard unknown.
  useLayoutEffect(() => {
    const element = page.current
    const viewport = window.visualViewport
    if (!element || !viewport) return
    return followKeyboard(element, viewport, matchMedia('(pointer: coarse)'))
  }, [page])
}

/** Returns a function that stops. */
function followKeyboard(page: HTMLElement, viewport: VisualViewport, touch: MediaQueryList): () => void {
  /** The height of the window without a keyboard, by its width: a turned phone has another one. */
  const heights = new Map<number, number>()

  function follow(): void {
    // Pinch zoom also shrinks the visual viewport and must not change the layout.
    if (viewport.scale > 1.01) return
    const { width, height, offsetTop } = viewport
    const focused = document.activeElement
    const isTyping = focused?.matches('textarea, input') === true && page.contains(focused)
    if (!isTyping || !touch.matches) {
      // Between two fields the keyboard is still open.
      heights.set(Math.round(width), Math.max(height, heights.get(Math.round(width)) ?? 0))
      show(false)
      return
    }
    const before = heights.get(Math.round(width))
    // A phone that is turned while the keyboard is open keeps it open.
    const covered = before === undefined ? KEYBOARD_MIN_PX : before - height
    show(covered >= KEYBOARD_MIN_PX)
    page.style.setProperty('--visible-height', `${height}px`)
    page.style.setProperty('--visible-top', `${offsetTop}px`)
  }

  function show(isKeyboard: boolean): void {
    page.toggleAttribute('data-keyboard', isKeyboard)
    for (const name of ['--visible-height', '--visible-top']) page.style.removeProperty(name)
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
