import type { WordDesk } from '../rules/word-desk.ts'
import type { ConsoleEndpoint } from './console-endpoint.ts'

export function wordRoutes(endpoint: ConsoleEndpoint, desk: WordDesk): void {
  endpoint('readWords', () => desk.read())
  endpoint('refuseWord', ({ input, caller }) => desk.refuse(caller, input.word))
  endpoint('allowWord', ({ input, caller }) => desk.allow(caller, input.word))
}
