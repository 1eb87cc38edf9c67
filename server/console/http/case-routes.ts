import type { ConsoleAnswer } from './answer.ts'
import type { ConsoleDeps } from './deps.ts'

export function caseRoutes(answer: ConsoleAnswer, { desk }: ConsoleDeps): void {
  answer('readQueue', ({ input: { kind, after } }) => desk.queue(kind, after))
  answer('readCase', ({ input, caller }) => desk.read(caller, input.id))
  answer('openEvidence', async ({ input, caller }) => {
    const jpeg = await desk.openEvidence(caller, input.caseId, input.id)
    return { jpeg: jpeg && Buffer.from(jpeg).toString('base64') }
  })
  answer('decide', ({ input, caller }) => desk.decide(caller, input))
  answer('search', ({ input, caller }) => desk.search(caller, input.text))
  answer('readStatistics', () => desk.statistics())
}
