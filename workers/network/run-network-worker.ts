import { API_BASE } from '#protocol/constants.ts'
import { withFaults } from '../faults.ts'
import { serve } from '../rpc.ts'
import { EARLY_WORKER } from './contract.ts'
import { createNetworkWorker } from './create-network-worker.ts'
import { withEarlyStart } from './early-start.ts'

/** Serves the page. `earlyFetch` answers the first request to `START_PATH` with the response to a request that is already under way. */
export function runNetworkWorker(earlyFetch: typeof fetch | undefined): void {
  // A relative URL would be resolved against this script's URL, not the page's.
  const worker = createNetworkWorker({ baseUrl: new URL(API_BASE, self.location.origin).href, fetch: earlyFetch })
  serve(withFaults(self.name === EARLY_WORKER ? withEarlyStart(worker, Date.now) : worker))
}
