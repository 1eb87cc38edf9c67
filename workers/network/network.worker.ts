import type { API_ATTEMPTS, API_RETRY_DELAY_MS } from '#protocol/constants.ts'
import { earlyFetch } from './early-request.ts'

/**
 * The worker's first script: sends the request of the start, and loads the worker meanwhile. No other script may import it: WebKit would
 * run it twice, and the second run would answer each message of the page once more, with another request.
 */

// Copies, as in early-request.ts.
const attempts: typeof API_ATTEMPTS = 3
const retryDelayMs: typeof API_RETRY_DELAY_MS = 3_000

/** Messages that the page sends before the worker listens. */
const early: MessageEvent<unknown>[] = []
const keep = (message: MessageEvent<unknown>) => early.push(message)
addEventListener('message', keep)

/** Loads the worker, with as many attempts as a request. */
async function load(): Promise<typeof import('./run-network-worker.ts')> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await import('./run-network-worker.ts')
    } catch (thrown) {
      if (attempt === attempts) throw thrown
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
  }
}

load()
  .then(({ runNetworkWorker }) => {
    removeEventListener('message', keep)
    runNetworkWorker(earlyFetch)
    for (const { data } of early) dispatchEvent(new MessageEvent('message', { data }))
  })
  // The page starts the worker again after an error.
  .catch(reportError)
