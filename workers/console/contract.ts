import type { ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'

/** Sends the requests of moderators, in a worker of its own: no worker of a user's page has code of the console. */
export interface ConsoleWorker {
  /**
   * Sends one request to an endpoint of the console. The login session of the console is separate and is never
   * refreshed. Rejects like NetworkWorker.request.
   */
  request<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
}
