import { earlyFetch } from './early-request.ts'

/**
 * The worker's first script: sends the request of the start, and loads the worker meanwhile. No other script may import it: WebKit would
 * run it a second time, and a second worker would answer each message of the page once more, with a request of its own.
 */

/** What the page sends until the worker listens. */
const early: MessageEvent<unknown>[] = []
const keep = (message: MessageEvent<unknown>) => early.push(message)
addEventListener('message', keep)

import('./run-network-worker.ts')
  .then(({ runNetworkWorker }) => {
    removeEventListener('message', keep)
    runNetworkWorker(earlyFetch)
    for (const { data } of early) dispatchEvent(new MessageEvent('message', { data }))
  })
  // The page starts the worker again after an error.
  .catch(reportError)
