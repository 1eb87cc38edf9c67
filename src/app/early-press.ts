/**
 * A prerendered page shows buttons before React answers them. A script inside the page, which shares no module with the
 * app, keeps the button that was pressed last until then. Links need no script.
 */

/** `place` is the index of the button among the `count` buttons of the page. */
type Early = { button: HTMLButtonElement | null; place: number; count: number; stop(): void }
type Page = { earlyPress?: Early | undefined }

export function keepEarlyPress(): void {
  const early: Early = {
    button: null,
    place: -1,
    count: 0,
    stop: () => document.removeEventListener('click', keep, true),
  }
  function keep({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest('button') : null
    early.button = button
    const buttons = [...document.querySelectorAll('button')]
    early.place = button ? buttons.indexOf(button) : -1
    early.count = buttons.length
  }
  document.addEventListener('click', keep, true)
  const page = globalThis as Page
  page.earlyPress = early
}

/**
 * Clicks the stored button; from now on React handles clicks. If React has drawn the page anew, because the browser
 * translated it, the button with the same index is clicked if there are as many buttons.
 */
export function repeatEarlyPress(): void {
  const page = globalThis as Page
  const early = page.earlyPress
  page.earlyPress = undefined
  early?.stop()
  if (!early?.button) return
  const buttons = document.querySelectorAll('button')
  const again = buttons.length === early.count ? buttons[early.place] : undefined
  const pressed = early.button.isConnected ? early.button : again
  // React's commit calls this function, and must end before the press.
  if (pressed?.className === early.button.className) queueMicrotask(() => pressed.click())
}
