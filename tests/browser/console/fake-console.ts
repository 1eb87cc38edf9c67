import type { Case, CaseSummary, ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { ConsoleApi } from '../../../src/domain/ports.ts'

export type ConsoleAnswers = {
  [N in ConsoleEndpointName]?: (input: ConsoleInput<N>) => ConsoleEndpointOutput<N> | Promise<ConsoleEndpointOutput<N>>
}

export const summary = (id: string): CaseSummary => ({
  id,
  nickName: id,
  status: 'Valid',
  kinds: ['reports'],
  reports: 1,
  reporters: 1,
  findings: 0,
  weight: 1,
  openedAt: 0,
  dueAt: 0,
})
export const whole = (id: string, version = '0.0.1.0'): Case => ({
  ...summary(id),
  until: null,
  version,
  verdicts: ['dismiss', 'warn'],
  createdAt: 0,
  earlier: null,
  history: [],
  openReports: [],
  closedReports: [],
  foundFrames: [],
  evidence: [],
  liveness: [],
  risk: { score: 0, matches: [] },
})
const nothing = { open: 0, appeals: 0, overdue: 0, oldestAt: null, days: [], decided: 0, upheld: 0, medianMs: null }

/** The console's API with two cases, a and b, where a test does not say otherwise. */
export function fakeConsoleApi(answers: ConsoleAnswers): ConsoleApi {
  const all: ConsoleAnswers = {
    whoAmI: () => ({ name: 'mia', until: 1 }),
    login: () => ({ name: 'mia', until: 1 }),
    readQueue: () => ({ cases: [summary('a'), summary('b')], open: 3, next: null }),
    readStatistics: () => nothing,
    readCase: ({ id }) => whole(id),
    ...answers,
  }
  return {
    async request(name, input) {
      const answer = all[name]
      if (!answer) throw new Error(`No answer for ${name}`)
      return answer(input)
    },
  }
}
