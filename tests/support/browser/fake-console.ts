import type { Case, CaseSummary, ConsoleEndpointName, ConsoleEndpointOutput, ConsoleInput } from '#protocol/console.ts'
import type { ConsoleApi } from '../../../src/console/ports.ts'

export type ConsoleResponses = {
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
  priority: null,
})
export const whole = (id: string, version = '0.0.1.0'): Case => ({
  ...summary(id),
  until: null,
  version,
  verdicts: ['dismiss', 'warn'],
  createdAt: 0,
  isBlockedForBirth: false,
  dateOfBirth: '1990-12-10',
  earlier: null,
  history: [],
  openReports: [],
  closedReports: [],
  foundFrames: [],
  evidence: [],
  liveness: [],
  risk: { score: 0, matches: [] },
})
/** A report without a reason and without a clock. */
export const openReport: Case['openReports'][number] = {
  session: '0123456789',
  reporter: 'lars',
  reporterCase: 'lars-case',
  type: 'ReportOnly',
  reason: null,
  note: null,
  curtain: null,
  dueAt: null,
  at: 0,
  callMs: 60_000,
  weight: 1,
  upheld: 0,
  dismissed: 0,
  retaliation: false,
  outweighed: false,
  reporterSaw: true,
  reportedSaw: true,
  sentOwnCamera: true,
  agreement: 'unknown',
  reporterSince: 0,
  keptCalls: 1,
  earlierToday: 0,
  standing: true,
  outcome: null,
}
const nothing = { open: 0, appeals: 0, overdue: 0, oldestAt: null, days: [], decided: 0, upheld: 0, medianMs: null }

/** The console's API, by default with two cases, a and b. */
export function fakeConsoleApi(responses: ConsoleResponses): ConsoleApi {
  const all: ConsoleResponses = {
    whoAmI: () => ({ name: 'mia', until: 1 }),
    login: () => ({ name: 'mia', until: 1 }),
    readQueue: () => ({ cases: [summary('a'), summary('b')], open: 3, next: null }),
    readStatistics: () => nothing,
    readContentNotices: () => ({ notices: [], open: 0 }),
    readCase: ({ id }) => whole(id),
    ...responses,
  }
  return {
    async request(name, input) {
      const respond = all[name]
      if (!respond) throw new Error(`No response for ${name}`)
      return respond(input)
    },
  }
}
