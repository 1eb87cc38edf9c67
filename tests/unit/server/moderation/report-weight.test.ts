import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#protocol/durations.ts'
import { reportReasons } from '#protocol/reports.ts'
import { readConfig } from '../../../../server/config/config.ts'
import type { ReportFacts } from '../../../../server/moderation/rules/ports.ts'
import {
  accuracyWeight,
  hasStanding,
  MOST_OF_ONE_REPORTER,
  NEWCOMER_SHARE,
  reportWeight,
  SAME_DEVICE_FACTOR,
  SHARED_TRACE_FACTOR,
  urgentSince,
  weighCase,
  weightOfReports,
} from '../../../../server/moderation/rules/report-weight.ts'
import { settledReport } from '../../../support/stores/settled-report.ts'

const NOW = 1_000 * DAY_MS
const EXACT = 1e-9
const { moderation: terms } = readConfig({})

const settled = settledReport('ada')
const fresh = (reporter: string, given: Partial<ReportFacts> = {}) =>
  settledReport(reporter, { reporterSince: NOW - 60_000, keptCalls: 0, ...given })

const facts = fc.record<ReportFacts>({
  reporter: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  reason: fc.option(fc.constantFrom(...reportReasons)),
  at: fc.integer({ min: NOW, max: NOW + 30 * DAY_MS }),
  callMs: fc.option(fc.nat(600_000)),
  reporterSaw: fc.boolean(),
  reportedSaw: fc.boolean(),
  retaliation: fc.boolean(),
  outweighed: fc.boolean(),
  credit: fc.double({ min: 0, max: 10, noNaN: true }),
  dismissed: fc.nat(10),
  provider: fc.constantFrom('Google', 'Facebook'),
  reporterSince: fc.integer({ min: 0, max: NOW }),
  keptCalls: fc.nat(30),
  earlierToday: fc.nat(20),
  minorsWrong: fc.nat(2),
  minorsWaiting: fc.nat(2),
  minorsOfNetwork: fc.nat(3),
  network: fc.option(fc.constantFrom('n1', 'n2', 'n3')),
  device: fc.option(fc.constantFrom('d1', 'd2')),
})

/** The facts about a reporter's account are the same in all of their reports. */
const reportSets = fc.array(facts, { maxLength: 30, size: 'max' }).map((reports) => {
  const first = new Map<string, ReportFacts>()
  return reports.map((report) => {
    const { provider, reporterSince, network, device } = first.get(report.reporter) ?? report
    const same = { ...report, provider, reporterSince, network, device }
    first.set(report.reporter, same)
    return same
  })
})

const weight = (reports: readonly ReportFacts[]) => weightOfReports(reports, terms)
/** Also with the weight in the moderators' queue, of all reports. */
const weighed = (reports: readonly ReportFacts[]) => ({ ...weighCase(reports, terms), all: weight(reports) })

test('a settled reporter weighs 1, and once however often they report', () => {
  expect(weight([settled])).toBe(1)
  expect(weight([settled, { ...settled, at: NOW + 1 }, { ...settled, at: NOW + 2 }])).toBe(1)
  expect(weight([settled, settledReport('bob')])).toBe(2)
  expect(weight([])).toBe(0)
})

test('a new account weighs a quarter, and neither age nor calls alone raise it', () => {
  expect(reportWeight(fresh('ada'), terms)).toBeCloseTo(NEWCOMER_SHARE, 4)
  expect(reportWeight(fresh('ada', { keptCalls: 100 }), terms)).toBeCloseTo(NEWCOMER_SHARE, 3)
  expect(reportWeight(settledReport('ada', { keptCalls: 0 }), terms)).toBe(NEWCOMER_SHARE)
  expect(reportWeight(settledReport('ada', { reporterSince: NOW - 7 * DAY_MS, keptCalls: 5 }), terms)).toBeCloseTo(
    0.4375,
  )
  expect(reportWeight(settledReport('ada', { keptCalls: 0, credit: 3 }), terms)).toBeGreaterThan(1)
})

test('each other report of the same day lowers the weight of a report', () => {
  const weights = [0, 1, 2, 3, 9].map((earlierToday) => reportWeight({ ...settled, earlierToday }, terms))
  expect(weights.map((one) => Math.round(one * 100) / 100)).toEqual([1, 0.67, 0.5, 0.4, 0.18])
})

test('reports never weigh more than their distinct reporters may, and one reporter never as much as two', () => {
  expect(MOST_OF_ONE_REPORTER).toBeLessThan(2)
  fc.assert(
    fc.property(reportSets, facts, (reports, report) => {
      const reporters = new Set(reports.map(({ reporter }) => reporter)).size
      expect(weight(reports)).toBeGreaterThanOrEqual(0)
      expect(weight(reports)).toBeLessThanOrEqual(reporters * MOST_OF_ONE_REPORTER + EXACT)
      expect(reportWeight(report, terms)).toBeLessThan(2)
    }),
  )
})

test('another report never lowers what the others weigh', () => {
  fc.assert(
    fc.property(reportSets, ([last, ...others]) => {
      if (!last) return
      const [before, after] = [weighed(others), weighed([...others, last])]
      for (const key of ['all', 'warn', 'suspend', 'standing'] as const)
        expect(after[key]).toBeGreaterThanOrEqual(before[key] - EXACT)
    }),
  )
})

test('the order of reports does not matter', () => {
  fc.assert(
    fc.property(reportSets, (reports) => {
      expect(weight([...reports].reverse())).toBeCloseTo(weight(reports))
    }),
  )
})

test('more calls, age or upheld reports never lower the weight', () => {
  const more = fc.record({ calls: fc.nat(20), days: fc.nat(30), credit: fc.nat(5) })
  fc.assert(
    fc.property(facts, more, (report, { calls, days, credit }) => {
      const richer = {
        ...report,
        keptCalls: report.keptCalls + calls,
        reporterSince: report.reporterSince - days * DAY_MS,
        credit: report.credit + credit,
      }
      expect(reportWeight(richer, terms)).toBeGreaterThanOrEqual(reportWeight(report, terms) - EXACT)
      expect(hasStanding(richer, terms) || !hasStanding(report, terms)).toBe(true)
      const busier = { ...report, earlierToday: report.earlierToday + 1 }
      expect(reportWeight(busier, terms)).toBeLessThanOrEqual(reportWeight(report, terms))
      expect(hasStanding(report, terms) || !hasStanding(busier, terms)).toBe(true)
    }),
  )
})

test('any number of reporters who share network, device and batch weigh little more than one of them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.boolean(), (count, isFresh) => {
      const shared = { network: 'one', device: 'one', reporterSince: isFresh ? NOW - 60_000 : 0 }
      const reports = Array.from({ length: count }, (_, index) => settledReport(`r${index}`, shared))
      const one = reportWeight(settledReport('r', shared), terms)
      expect(weight(reports)).toBeLessThanOrEqual(SAME_DEVICE_FACTOR * one + EXACT)
    }),
  )
})

test('reporters who share a network or a batch weigh at most as one and a half of them; a shared device alone changes nothing', () => {
  const four = (given: (index: number) => Partial<ReportFacts>) =>
    weight(Array.from({ length: 4 }, (_, index) => settledReport(`r${index}`, given(index))))
  expect(four((index) => ({ network: 'one', device: `d${index}` }))).toBe(SHARED_TRACE_FACTOR)
  expect(four((index) => ({ reporterSince: 0, device: `d${index}` }))).toBe(SHARED_TRACE_FACTOR)
  expect(four(() => ({ device: 'one' }))).toBe(4)
  expect(four(() => ({ network: null, device: null }))).toBe(4)
})

test('a report without a call never counts, nor one of a known offender about a user who reported the offender; one in return does', () => {
  fc.assert(
    fc.property(reportSets, ([report, ...others]) => {
      if (!report) return
      for (const nothing of [{ outweighed: true }, { callMs: null }]) {
        expect(weight([...others, { ...report, ...nothing }])).toBeCloseTo(weight(others))
        expect(hasStanding({ ...report, ...nothing }, terms)).toBe(false)
      }
    }),
  )
  expect(weight([{ ...settled, retaliation: true }])).toBe(1)
})

test('who stays silent after the answer was relayed suspends nobody by a report, and is suspended as who confirms', () => {
  const of = (given: Partial<ReportFacts>) => weighed([settledReport('a', given), fresh('b', given)])
  for (const confirmed of [
    { reportedSaw: false, callMs: 5_000 },
    // A reporter whose own connection was lost: the reported side says that there was a call.
    { reporterSaw: false, callMs: 20_000 },
  ])
    expect(of(confirmed)).toEqual(of({ callMs: confirmed.callMs }))
  for (const unconfirmed of [
    { reportedSaw: false, callMs: 4_999 },
    { reporterSaw: false, reportedSaw: false },
  ]) {
    const known = of(unconfirmed)
    expect(known).toMatchObject({ suspend: 0, standing: 0 })
    // With standing it warns, and in the queue it weighs what it weighs.
    expect(known.warn).toBeGreaterThanOrEqual(1)
    expect(known.all).toBeGreaterThan(known.warn)
  }
})

test('a reporter with two dismissed reports, or many reports a day, has no standing', () => {
  expect(hasStanding(settled, terms)).toBe(true)
  expect(hasStanding({ ...settled, dismissed: 1 }, terms)).toBe(true)
  expect(hasStanding({ ...settled, dismissed: 2 }, terms)).toBe(false)
  expect(hasStanding({ ...settled, dismissed: 2, credit: 1 }, terms)).toBe(true)
  expect(hasStanding({ ...settled, earlierToday: 5 }, terms)).toBe(false)
  expect(hasStanding(fresh('ada'), terms)).toBe(false)
  expect(hasStanding(settledReport('ada', { keptCalls: 9 }), terms)).toBe(false)
})

test('a report in the first seconds of a call weighs no less than a later one', () => {
  fc.assert(
    fc.property(facts, fc.nat(15_000), fc.integer({ min: 15_001, max: 1e7 }), (report, early, late) => {
      expect(reportWeight({ ...report, callMs: early }, terms)).toBeGreaterThanOrEqual(
        reportWeight({ ...report, callMs: late }, terms),
      )
    }),
  )
  expect(reportWeight({ ...settled, callMs: 3_000 }, terms)).toBe(1.25)
})

test('upheld reports raise the weight, dismissed reports lower it, both within limits', () => {
  const counts = fc.record({ credit: fc.nat(1_000), dismissed: fc.nat(1_000) })
  fc.assert(
    fc.property(counts, ({ credit, dismissed }) => {
      const accuracy = accuracyWeight({ credit, dismissed })
      expect(accuracy).toBeGreaterThanOrEqual(0.25)
      expect(accuracy).toBeLessThanOrEqual(1.5)
      expect(accuracyWeight({ credit: credit + 1, dismissed })).toBeGreaterThanOrEqual(accuracy)
      expect(accuracyWeight({ credit, dismissed: dismissed + 1 })).toBeLessThanOrEqual(accuracy)
    }),
  )
  expect(accuracyWeight({ credit: 0, dismissed: 0 })).toBe(1)
  expect(accuracyWeight({ credit: 1, dismissed: 0 })).toBeCloseTo(1.2)
  expect(accuracyWeight({ credit: 0, dismissed: 1 })).toBeCloseTo(0.8)
  expect(accuracyWeight({ credit: 100, dismissed: 0 })).toBe(1.5)
  expect(accuracyWeight({ credit: 0, dismissed: 100 })).toBe(0.25)
})

test('a case is urgent from the report on that would suspend if all reporters had standing', () => {
  const reports = ['a', 'b', 'c', 'd', 'e'].map((name, index) => fresh(name, { at: NOW + index }))
  expect(urgentSince(reports.slice(0, 3), 4)).toBeNull()
  expect(urgentSince([...reports].reverse(), 4)).toBe(NOW + 3)
  expect(urgentSince([...reports.slice(0, 3), fresh('a', { at: NOW + 9 })], 4)).toBeNull()
})
