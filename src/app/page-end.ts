/**
 * Runs `leave` when the page goes, for as long as it lives. Where that says that something was left, a page that the browser
 * brings back from its memory starts anew.
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
