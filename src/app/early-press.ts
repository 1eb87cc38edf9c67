/**
 * A prerendered page shows buttons before React answers them. A script inside the page, which shares no module with the app, keeps the
 * button that was pressed last until then. Links need no script.
 */

/** `place`: of the button among those of the page. */
type Early = { button: HTMLButtonElement | null; place: number; stop(): void }
type Page = { earlyPress?: Early | undefined }

export function keepEarlyPress(): void {
  const early: Early = { button: null, place: -1, stop: () => document.removeEventListener('click', keep, true) }
  function keep({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest('button') : null
    early.button = button
    early.place = button ? [...document.querySelectorAll('button')].indexOf(button) : -1
  }
  document.addEventListener('click', keep, true)
  const page = globalThis as Page
  page.earlyPress = early
}

/**
 * Presses the kept button, if it is still in the page; from here on React answers. Where the browser has translated the page, React has
 * drawn it anew, and another button is in its place.
 */
export function repeatEarlyPress(): void {
  const page = globalThis as Page
  const early = page.earlyPress
  page.earlyPress = undefined
  early?.stop()
  if (!early?.button) return
  const again = early.button.isConnected ? early.button : document.querySelectorAll('button')[early.place]
  // Not in React's commit, from which this is called.
  if (again?.textContent === early.button.textContent) queueMicrotask(() => again.click())
}
