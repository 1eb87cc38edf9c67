import type { PreservationDesk } from '../rules/preservation-desk.ts'
import type { ConsoleEndpoint } from './console-endpoint.ts'

export function preservationRoutes(endpoint: ConsoleEndpoint, desk: PreservationDesk): void {
  endpoint('readPreservations', () => desk.list())
  endpoint('preserveCase', ({ input, caller }) => desk.preserve(caller, input))
  endpoint('openPreservation', ({ input, caller }) => desk.open(caller, input.id))
  endpoint('judgePreservation', async ({ input, caller }) => ({ preservation: await desk.judge(caller, input) }))
  endpoint('exportPreservation', ({ input, caller }) => desk.export(caller, input.id))
  endpoint('recordPreservationSent', ({ input, caller }) => desk.setSent(caller, input))
}
