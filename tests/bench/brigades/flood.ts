import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { type OpenCase, pageOf, summaryOf } from '../../../server/console/rules/case-queue.ts'
import type { ReportFacts } from '../../../server/moderation/rules/ports.ts'
import { dueAtOf } from '../../../server/moderation/rules/priority-report.ts'
import { urgentSince, weightOfReports } from '../../../server/moderation/rules/report-weight.ts'
import { NOW, reportBy } from './people.ts'
import { policy } from './rulings.ts'

const REPORTS_EACH = 5
/** The flood comes in the evening, the real report after midnight. */
const REAL_AT = NOW + HOUR_MS
const FLOOD_AT = NOW - HOUR_MS

type Flood = { accounts: number; hasCalls: boolean; networks: number }

function caseOf(id: string, report: ReportFacts, dueAt: number | null): OpenCase {
  const nothing = { count: 0, oldestAt: null }
  const status = { status: 'Valid', statusUntil: null, statusSince: null } as const
  return {
    id,
    nickName: id,
    ...status,
    reports: [{ ...report, dueAt }],
    findings: nothing,
    earlier: null,
    resemblesSince: null,
  }
}

const fresh = (name: string) => ({
  reporter: name,
  provider: 'Google' as const,
  reporterSince: NOW - DAY_MS / 2,
  keptCalls: 0,
  network: `network of ${name}`,
  device: null,
})

/** Returns the place in the queue of a settled user's report of a minor, after such reports by new accounts; 1 is the first. */
function placeNow({ accounts, hasCalls, networks }: Flood): number {
  const clocks = new Map<number, number>()
  const flood: OpenCase[] = []
  for (let account = 0; account < accounts; account += 1) {
    let own = 0
    for (let earlierToday = 0; earlierToday < REPORTS_EACH; earlierToday += 1) {
      const callMs = hasCalls ? 60_000 : null
      const given = { at: FLOOD_AT, reason: 'under-18', callMs, earlierToday } as const
      const report = reportBy(fresh(`fresh ${account}`), given)
      const network = (clocks.get(account % networks) ?? 0) - own
      const dueAt = dueAtOf(
        { at: FLOOD_AT, callMs, details: { reason: 'under-18' } },
        { ...report, clocks: { own, network } },
        policy,
      )
      if (dueAt !== null) {
        own += 1
        clocks.set(account % networks, network + own)
      }
      flood.push(caseOf(`flood ${account} ${earlierToday}`, report, dueAt))
    }
  }
  const honest = { ...fresh('real'), reporterSince: 0, keptCalls: 20 }
  const real = caseOf('real', reportBy(honest, { at: REAL_AT, reason: 'under-18' }), REAL_AT + DAY_MS)
  const weigh = (reports: readonly ReportFacts[]) => ({
    weight: weightOfReports(reports, policy),
    urgentSince: urgentSince(reports, policy.reportsToSuspend),
  })
  const cases = [...flood, real].map((open) => summaryOf(open, weigh))
  return (pageOf(cases, undefined, cases.length)?.cases.findIndex(({ id }) => id === 'real') ?? -1) + 1
}

/** Lines of the table. Before, each of the reports started a clock, with a call or without, and cases were ordered by the day they were due. */
export function* floodLines(): Generator<string> {
  yield '| new accounts with 5 reports each | before: place of the real report | now |'
  yield '|---|---|---|'
  for (const accounts of [6, 20, 60])
    for (const [name, hasCalls, networks] of [
      ['without calls', false, accounts],
      ['with calls, one network', true, 1],
      ['with calls, spread over networks', true, accounts],
    ] as const)
      yield `| ${accounts} ${name} | ${accounts * REPORTS_EACH + 1} | ${placeNow({ accounts, hasCalls, networks })} |`
}
