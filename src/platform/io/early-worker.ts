/** The network worker that the page's first script has started. `isDead` is true after an error. */
type EarlyWorker = { worker: Worker; isDead: boolean }

/** The first script shares no module with the app, and leaves the worker as a property of the page. */
type Page = { earlyWorker?: EarlyWorker | undefined }

export function leaveEarlyWorker(worker: Worker): void {
  const early: EarlyWorker = { worker, isDead: false }
  for (const event of ['error', 'messageerror']) worker.addEventListener(event, () => (early.isDead = true))
  const page = globalThis as Page
  page.earlyWorker = early
}

/** Returns the worker at the first call; null if no worker was left or it has died. */
export function takeEarlyWorker(): Worker | null {
  const page = globalThis as Page
  const early = page.earlyWorker
  page.earlyWorker = undefined
  return early && !early.isDead ? early.worker : null
}
