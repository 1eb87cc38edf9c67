import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { type ReportReason, reportReasons } from '#protocol/reports.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { judge } from '../../../../server/moderation/rules/judgement.ts'
import type { ReportFacts } from '../../../../server/moderation/rules/ports.ts'
import { dueAtOf } from '../../../../server/moderation/rules/priority-report.ts'
import { hasStanding, pausesMatching } from '../../../../server/moderation/rules/report-weight.ts'
import { settledReport } from '../../../support/stores/settled-report.ts'

const { moderation: policy } = readConfig({})
const NOW = 1_000 * DAY_MS

const minor = (reporter: string, given: Partial<ReportFacts> = {}) =>
  settledReport(reporter, { at: NOW, reason: 'under-18', ...given })
const statusAfter = (reports: readonly ReportFacts[], risk = 0) =>
  judge('Valid', { reports, findings: 0, risk }, policy)?.to ?? 'Valid'

test('one report of a settled reporter that the peer may be a minor keeps the peer from matching', () => {
  expect(judge('Valid', { reports: [minor('ada')], findings: 0, risk: 0 }, policy)).toEqual({
    to: 'Appeal',
    by: 'policy',
    what: 'reports',
    // What the reported user reads names no reason of a report.
    rule: 'guidelines',
    reason: 'A report needs a moderator first',
  })
  expect(judge('Warning', { reports: [minor('ada')], findings: 0, risk: 0 }, policy)?.to).toBe('Appeal')
  for (const status of ['Appeal', 'InReview', 'Blocked'] as const)
    expect(judge(status, { reports: [minor('ada')], findings: 0, risk: 0 }, policy)).toBeNull()
})

test.each<[string, Partial<ReportFacts>]>([
  ['of a new account', { reporterSince: NOW - HOUR_MS, keptCalls: 0 }],
  ['of an account that only waited', { keptCalls: 0 }],
  ['of a reporter who was wrong twice and never right', { dismissed: 2 }],
  ['of a reporter who has reported another one that day', { earlierToday: 1 }],
  ['without a call', { callMs: null }],
  ['in return for a report', { retaliation: true }],
  ['whose call the reporter did not confirm', { reporterSaw: false }],
  ['whose call the reported side did not confirm, but had no time to', { reportedSaw: false, callMs: 4_999 }],
  ['of a reporter who was wrong about a minor before', { minorsWrong: 1 }],
  ['of a reporter whose earlier report of a minor waits for a decision', { minorsWaiting: 1 }],
  ['of a network whose reporters have paused two that day', { minorsOfNetwork: 2 }],
  ['of an offender who is known from others', { outweighed: true }],
])('such a report pauses nobody %s', (_, given) => {
  expect(statusAfter([minor('ada', given)], 0.8)).not.toBe('Appeal')
})

test('a minor who never confirms a call is paused as any other', () => {
  expect(statusAfter([minor('ada', { reportedSaw: false })])).toBe('Appeal')
})

test('no other reason pauses anybody, nor a report without one', () => {
  for (const reason of [null, ...reportReasons.filter((one) => one !== 'under-18')])
    expect(statusAfter([minor('ada', { reason })])).toBe('Valid')
})

const unsettled = fc
  .record({
    reporter: fc.string(),
    reason: fc.option(fc.constantFrom(...reportReasons)),
    network: fc.option(fc.string()),
    keptCalls: fc.nat(9),
    credit: fc.nat(2),
    dismissed: fc.nat(9),
    earlierToday: fc.nat(20),
    callMs: fc.option(fc.nat(600_000)),
    retaliation: fc.boolean(),
    reporterSaw: fc.boolean(),
    reportedSaw: fc.boolean(),
  })
  .map(({ reporter, ...given }) => settledReport(reporter, { at: NOW, ...given }))

test('no brigade without standing pauses anybody, whatever reasons it gives', () => {
  fc.assert(
    fc.property(
      fc.array(unsettled, { maxLength: 100 }),
      fc.double({ min: 0, max: 0.8, noNaN: true }),
      (reports, risk) => {
        expect(statusAfter(reports, risk)).not.toBe('Appeal')
      },
    ),
  )
  const forged = Array.from({ length: 10_000 }, (_, index) => minor(`n${index}`, { reporterSince: NOW, keptCalls: 0 }))
  expect(statusAfter(forged, 0.8)).not.toBe('Appeal')
})

test('what pauses has standing, so that a settled account pauses one user a day and none after two wrong reports', () => {
  const any = fc.record({
    keptCalls: fc.nat(30),
    credit: fc.nat(5),
    dismissed: fc.nat(5),
    earlierToday: fc.nat(9),
    retaliation: fc.boolean(),
  })
  fc.assert(
    fc.property(any, (given) => {
      const report = minor('ada', given)
      if (!pausesMatching(report, policy)) return
      expect(hasStanding(report, policy)).toBe(true)
      expect(report.earlierToday).toBe(0)
      if (report.credit === 0) expect(report.dismissed).toBeLessThan(2)
    }),
  )
})

const clean = {
  credit: 0,
  dismissed: 0,
  earlierToday: 0,
  reporterSince: NOW,
  keptCalls: 0,
  clocks: { own: 0, network: 0 },
}
const dueAt = (record: Partial<typeof clean> = {}, given: { reason?: ReportReason; callMs?: number | null } = {}) => {
  const { reason = 'under-18', callMs = 1 } = given
  return dueAtOf({ details: { reason }, at: NOW, callMs }, { ...clean, ...record }, policy)
}

test('two reasons start a clock, which begins with the report: 24 and 48 hours', () => {
  const hours = reportReasons.map((reason) => {
    const due = dueAt({}, { reason })
    return [reason, due === null ? null : (due - NOW) / HOUR_MS]
  })
  expect(hours.filter(([, clock]) => clock !== null)).toEqual([
    ['under-18', 24],
    ['intimate-without-consent', 48],
  ])
  expect(dueAtOf({ at: NOW, callMs: 1 }, clean, policy)).toBeNull()
})

test('new accounts start a clock; who was repeatedly wrong, or reports all day, starts none; a report without a call neither', () => {
  expect(dueAt({ dismissed: 1, earlierToday: 4 })).not.toBeNull()
  expect(dueAt({ dismissed: 2, credit: 1 })).not.toBeNull()
  expect(dueAt({ dismissed: 2 })).toBeNull()
  expect(dueAt({ earlierToday: 5 })).toBeNull()
  expect(dueAt({}, { callMs: null })).toBeNull()
})

test('new accounts start one clock a day each, and three a network; settled reporters are not held up by them', () => {
  const [own, full] = [
    { own: 1, network: 0 },
    { own: 0, network: 3 },
  ]
  expect(dueAt({ clocks: { own: 0, network: 2 } })).not.toBeNull()
  const settled = { reporterSince: 0, keptCalls: policy.standingCalls }
  for (const clocks of [own, full]) {
    expect(dueAt({ clocks })).toBeNull()
    expect(dueAt({ clocks, ...settled })).not.toBeNull()
  }
})
