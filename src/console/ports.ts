import type { ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'

export interface ConsoleApi {
  request<N extends ConsoleEndpointName>(name: N, input: ConsoleInput<N>): Promise<ConsoleEndpointOutput<N>>
}
