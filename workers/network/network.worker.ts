import { API_BASE } from '#protocol/constants.ts'
import { serve } from '../rpc.ts'
import { createNetworkWorker } from './create-network-worker.ts'

// A relative URL would be resolved against this script's URL, not the page's.
serve(createNetworkWorker({ baseUrl: new URL(API_BASE, self.location.origin).href }))
