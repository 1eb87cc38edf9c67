/**
 * Calls `leave` at every `pagehide`. If it returned true, a page that the browser restores from the back/forward cache is
 * loaded again at the root.
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
