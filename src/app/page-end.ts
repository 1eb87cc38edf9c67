/**
 * Calls `leave` at every `pagehide`. If it returned true and the browser restores the page from the back/forward cache,
 * the root page is loaded instead.
 */
export function onPageEnd(leave: () => boolean): void {
  let left = false
  addEventListener('pagehide', () => {
    left = leave()
  })
  addEventListener('pageshow', () => {
    if (left) location.replace('/')
  })
}
