import { type ConsoleEndpointOutput, consoleEndpoints } from '#protocol/console.ts'
import { API_BASE } from '#protocol/constants.ts'
import { createHttpClient } from '../network/http-client.ts'
import { serve } from '../rpc.ts'
import type { ConsoleWorker } from './contract.ts'

const send = createHttpClient({ baseUrl: new URL(API_BASE, self.location.origin).href })
const worker: ConsoleWorker = {
  // The client parses each response by the schema of the same endpoint, which the type system cannot infer.
  request: (name, input) => send(consoleEndpoints[name], input) as Promise<ConsoleEndpointOutput<typeof name>>,
}
serve(worker)
