import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  accuracyWeight,
  MOST_OF_ONE_REPORTER,
  reportWeight,
  weightOfReports,
} from '../../../server/domain/moderation/report-weight.ts'
import type { ReportFacts } from '../../../server/domain/ports.ts'

const ordinary: ReportFacts = {
  reporter: 'ada',
  at: 0,
  callMs: 60_000,
  retaliation: false,
  upheld: 0,
  dismissed: 0,
}

const facts = fc.record<ReportFacts>({
  reporter: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  at: fc.nat(),
  callMs: fc.option(fc.nat(600_000)),
  retaliation: fc.boolean(),
  upheld: fc.nat(50),
  dismissed: fc.nat(50),
})

test('an ordinary reporter weighs 1, and once however often they report', () => {
  expect(weightOfReports([ordinary])).toBe(1)
  expect(weightOfReports([ordinary, { ...ordinary, at: 1 }, { ...ordinary, at: 2 }])).toBe(1)
  expect(weightOfReports([ordinary, { ...ordinary, reporter: 'bob' }])).toBe(2)
  expect(weightOfReports([])).toBe(0)
})

test('reports never weigh more than their distinct reporters may', () => {
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 30, size: 'max' }), (reports) => {
      const reporters = new Set(reports.map(({ reporter }) => reporter)).size
      const weight = weightOfReports(reports)
      expect(weight).toBeGreaterThanOrEqual(0)
      expect(weight).toBeLessThanOrEqual(reporters * MOST_OF_ONE_REPORTER)
    }),
  )
})

test('no single reporter ever weighs as much as two ordinary ones', () => {
  expect(MOST_OF_ONE_REPORTER).toBeLessThan(2)
  fc.assert(fc.property(facts, (report) => void expect(reportWeight(report)).toBeLessThan(2)))
})

test('an answer to a report never counts, nor one without a call', () => {
  fc.assert(
    fc.property(fc.array(facts), facts, (others, report) => {
      const before = weightOfReports(others)
      expect(weightOfReports([...others, { ...report, retaliation: true }])).toBe(before)
      expect(weightOfReports([...others, { ...report, callMs: null }])).toBe(before)
    }),
  )
})

test('a report in the first seconds of a call weighs no less than a later one', () => {
  fc.assert(
    fc.property(facts, fc.nat(15_000), fc.integer({ min: 15_001, max: 1e7 }), (report, early, late) => {
      expect(reportWeight({ ...report, callMs: early })).toBeGreaterThanOrEqual(
        reportWeight({ ...report, callMs: late }),
      )
    }),
  )
  expect(reportWeight({ ...ordinary, callMs: 3_000 })).toBe(1.25)
})

test('who was found right weighs a bit more, who was found wrong less, both within limits', () => {
  const counts = fc.record({ upheld: fc.nat(1_000), dismissed: fc.nat(1_000) })
  fc.assert(
    fc.property(counts, ({ upheld, dismissed }) => {
      const weight = accuracyWeight({ upheld, dismissed })
      expect(weight).toBeGreaterThanOrEqual(0.25)
      expect(weight).toBeLessThanOrEqual(1.5)
      expect(accuracyWeight({ upheld: upheld + 1, dismissed })).toBeGreaterThanOrEqual(weight)
      expect(accuracyWeight({ upheld, dismissed: dismissed + 1 })).toBeLessThanOrEqual(weight)
    }),
  )
  expect(accuracyWeight({ upheld: 0, dismissed: 0 })).toBe(1)
  expect(accuracyWeight({ upheld: 1, dismissed: 0 })).toBeCloseTo(1.2)
  expect(accuracyWeight({ upheld: 0, dismissed: 1 })).toBeCloseTo(0.8)
  expect(accuracyWeight({ upheld: 100, dismissed: 0 })).toBe(1.5)
  expect(accuracyWeight({ upheld: 0, dismissed: 100 })).toBe(0.25)
})
