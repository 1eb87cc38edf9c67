/** Longest wait for an idle moment, in ms. */
const LATEST_MS = 2_000

/** Runs `task` when the page has nothing else to do. */
export function whenIdle(task: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: LATEST_MS })
  else setTimeout(task, 0)
}
