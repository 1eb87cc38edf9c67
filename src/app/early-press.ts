/**
 * A prerendered page shows buttons before React answers them. A script inside the page, which shares no module with the app, keeps the
 * button that was pressed last until then. Links need no script.
 */

type Early = { button: HTMLButtonElement | null; stop(): void }
type Page = { earlyPress?: Early | undefined }

export function keepEarlyPress(): void {
  const early: Early = { button: null, stop: () => document.removeEventListener('click', keep, true) }
  function keep({ target }: MouseEvent): void {
    early.button = target instanceof Element ? target.closest('button') : null
  }
  document.addEventListener('click', keep, true)
  const page = globalThis as Page
  page.earlyPress = early
}

/** Presses the kept button, if it is still in the page; from here on React answers. */
export function repeatEarlyPress(): void {
  const page = globalThis as Page
  const early = page.earlyPress
  page.earlyPress = undefined
  early?.stop()
  // Not in React's commit, from which this is called.
  if (early?.button?.isConnected) queueMicrotask(() => early.button?.click())
}
