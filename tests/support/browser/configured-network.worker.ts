import { createNetworkWorker } from '#workers/network/create-network-worker.ts'
import { serve } from '#workers/rpc.ts'

/** The product's network worker with an address and delays of the test. */
const options = new URLSearchParams(self.location.search)
const timeoutMs = options.get('timeoutMs')
const offlineWaitMs = options.get('offlineWaitMs')
serve(
  createNetworkWorker({
    baseUrl: options.get('baseUrl') ?? '',
    retryDelayMs: Number(options.get('retryDelayMs') ?? 1),
    ...(timeoutMs === null ? {} : { timeoutMs: Number(timeoutMs) }),
    ...(offlineWaitMs === null ? {} : { offlineWaitMs: Number(offlineWaitMs) }),
  }),
)
