/** Longest waits for an idle moment: LATEST_MS by default, SOON_MS in `idleTask`. */
const LATEST_MS = 2_000
const SOON_MS = 100

/** Runs `task` when the page has nothing else to do. */
export function whenIdle(task: () => void, latestMs = LATEST_MS): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: latestMs })
  else setTimeout(task, 0)
}

/** Resolves in a new task when the page has nothing else to do, at the latest after SOON_MS. */
export function idleTask(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve, SOON_MS))
}

/** Resolves in a new task. Unlike a timer it is not delayed in a hidden page. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
