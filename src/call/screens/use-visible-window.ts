import { type RefObject, useLayoutEffect } from 'react'

/**
 * Height from which on a covered part of the window is an on-screen keyboard. Phones in landscape have the lowest
 * keyboards. Bars of the browser and of a separate keyboard are at most 56 px high.
 */
const KEYBOARD_MIN_PX = 120

/**
 * While the on-screen keyboard is open for a text field of the page, fits the page to the visible part of the window
 * and sets `data-keyboard` on it. Only Chromium and Firefox resize the page by themselves
 * (`interactive-widget=resizes-content`); on iOS the keyboard covers the page. Changes the element directly, without a
 * render.
 */
export function useVisibleWindow(page: RefObject<HTMLElement | null>): void {
  // Runs before the first paint: if a field had the focus earlier, the height without a keyboard would stay unknown.
  useLayoutEffect(() => {
    const element = page.current
    const viewport = window.visualViewport
    if (!element || !viewport) return
    return followKeyboard(element, viewport, matchMedia('(pointer: coarse)'))
  }, [page])
}

/** Returns a function that stops. */
function followKeyboard(page: HTMLElement, viewport: VisualViewport, touch: MediaQueryList): () => void {
  /** Heights of the window without a keyboard, by its width, since turning the phone changes them. */
  const heights = new Map<number, number>()

  function follow(): void {
    // Pinch zoom also shrinks the visual viewport and must not change the layout.
    if (viewport.scale > 1.01) return
    const { width, height, offsetTop } = viewport
    const focused = document.activeElement
    const isTyping = focused?.matches('textarea, input') === true && page.contains(focused)
    if (!isTyping || !touch.matches) {
      // While the focus moves between two fields, the keyboard is still open: only a larger height is stored.
      heights.set(Math.round(width), Math.max(height, heights.get(Math.round(width)) ?? 0))
      show(false)
      return
    }
    const before = heights.get(Math.round(width))
    // The height is unknown if the phone is turned while the keyboard is open. The keyboard then counts as open.
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
