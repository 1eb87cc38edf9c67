import type { ConsoleDesk } from '../rules/desk.ts'
import type { ConsoleEndpoint } from './console-endpoint.ts'

export function caseRoutes(endpoint: ConsoleEndpoint, desk: ConsoleDesk): void {
  endpoint('readQueue', ({ input: { kind, after } }) => desk.queue(kind, after))
  endpoint('readCase', ({ input, caller }) => desk.read(caller, input.id))
  endpoint('openEvidence', async ({ input, caller }) => {
    const jpeg = await desk.openEvidence(caller, input.caseId, input.id)
    return { jpeg: jpeg && Buffer.from(jpeg).toString('base64') }
  })
  endpoint('decide', ({ input, caller }) => desk.decide(caller, input))
  endpoint('correctBirth', ({ input, caller }) => desk.correctBirth(caller, input))
  endpoint('search', ({ input, caller }) => desk.search(caller, input.text))
  endpoint('readStatistics', () => desk.statistics())
}
