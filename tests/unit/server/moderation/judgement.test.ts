import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BlockStatus } from '#protocol/block-status.ts'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { blockStatusSchema } from '#protocol/moderation.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { judge } from '../../../../server/moderation/rules/judgement.ts'
import type { ReportFacts } from '../../../../server/moderation/rules/ports.ts'
import { riskScore } from '../../../../server/moderation/rules/risk.ts'
import { mayChange } from '../../../../server/moderation/rules/status-table.ts'
import { addressPrefix } from '../../../../server/platform/rules/subnet.ts'
import { settledReport } from '../../../support/stores/settled-report.ts'

const { moderation: policy } = readConfig({})
const statuses = fc.constantFrom<BlockStatus>(...blockStatusSchema.options)

const settled = (count: number) => Array.from({ length: count }, (_, index) => settledReport(`reporter ${index}`))

const after = (status: BlockStatus, reporters: number, risk = 0, findings = 0) =>
  judge(status, { reports: settled(reporters), findings, risk }, policy)?.to ?? status

test('two settled reporters lead to a warning, four to a suspension', () => {
  expect([0, 1, 2, 3, 4, 9].map((count) => after('Valid', count))).toEqual([
    'Valid',
    'Valid',
    'Warning',
    'Warning',
    'Appeal',
    'Appeal',
  ])
  expect([0, 2, 3, 4].map((count) => after('Warning', count))).toEqual(['Warning', 'Warning', 'Warning', 'Appeal'])
})

const NOW = 1_000 * DAY_MS
const newcomers = (count: number, given: (index: number) => Partial<ReportFacts> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    // Of another hour each: the most that a brigade of new accounts can make of its number.
    settledReport(`n${index}`, { at: NOW, reporterSince: NOW - index * HOUR_MS, keptCalls: 0, ...given(index) }),
  )

test('reports of four new accounts change nothing, hundreds of them warn, and no number of them suspends', () => {
  const status = (reports: ReportFacts[]) => judge('Valid', { reports, findings: 0, risk: 0.8 }, policy)?.to ?? 'Valid'
  expect(status(newcomers(4))).toBe('Valid')
  expect(status(newcomers(200))).toBe('Warning')
  // A user with one mistaken report is not suspended by a brigade either.
  expect(status([...newcomers(200), ...settled(1)])).toBe('Warning')
  expect(status([...newcomers(200), ...settled(2)])).toBe('Appeal')
})

test('without a reporter with standing only findings of the classifier suspend', () => {
  const report = fc
    .record({
      reporter: fc.string(),
      network: fc.option(fc.string()),
      keptCalls: fc.nat(9),
      credit: fc.nat(2),
      callMs: fc.option(fc.nat(600_000)),
      reportedSaw: fc.boolean(),
    })
    .map(({ reporter, ...given }) => settledReport(reporter, given))
  fc.assert(
    fc.property(
      statuses,
      fc.array(report, { maxLength: 100 }),
      fc.double({ min: 0, max: 0.8, noNaN: true }),
      (...args) => {
        const [status, reports, risk] = args
        expect(judge(status, { reports, findings: 0, risk }, policy)?.to).not.toBe('Appeal')
      },
    ),
  )
})

test('a user who never confirms a call is suspended as any other, unless every call ended before a browser can confirm it', () => {
  const after = (callMs: number) =>
    judge(
      'Valid',
      { reports: settled(4).map((one) => ({ ...one, reportedSaw: false, callMs })), findings: 0, risk: 0 },
      policy,
    )?.to
  expect(after(8_000)).toBe('Appeal')
  expect(after(2_000)).toBe('Warning')
})

test('an offender who reports each of nine settled victims first is suspended', () => {
  const reports = settled(9).map((report) => ({ ...report, retaliation: true }))
  expect(judge('Valid', { reports, findings: 0, risk: 0 }, policy)?.to).toBe('Appeal')
})

test('enough findings suspend, and their number is in the reason', () => {
  expect([0, 1, 2].map((count) => after('Valid', 0, 0, count))).toEqual(['Valid', 'Valid', 'Appeal'])
  expect(judge('Warning', { reports: settled(4), findings: 2, risk: 0 }, policy)).toMatchObject({
    by: 'classifier',
    what: 'frames',
    rule: 'no-explicit-content',
  })
})

test('risk lowers the thresholds, and changes nothing by itself', () => {
  expect(after('Valid', 0, 0.8)).toBe('Valid')
  expect(after('Valid', 1, 0.8)).toBe('Valid')
  expect(after('Valid', 2, 0.3)).toBe('Warning')
  expect(after('Valid', 3, 0.8)).toBe('Appeal')
  expect(after('Valid', 0, 1, 1)).toBe('Appeal')
})

test('automatic transitions are in the table, never milder, and never a block', () => {
  const suspicion = fc.record({
    reports: fc.nat(12).map(settled),
    findings: fc.nat(9),
    risk: fc.double({ min: 0, max: 0.8, noNaN: true }),
  })
  fc.assert(
    fc.property(statuses, suspicion, (status, known) => {
      const step = judge(status, known, policy)
      if (!step) return
      expect(['Warning', 'Appeal']).toContain(step.to)
      expect(step.to).not.toBe(status)
      expect(mayChange(status, step.to, step.by, null)).toBe(true)
    }),
  )
  for (const status of ['Appeal', 'InReview', 'Blocked'] as const) expect(after(status, 12, 0.8, 9)).toBe(status)
})

test('the risk score: an address adds little, a device alone nothing, both more, never above the maximum', () => {
  const [address, device, both] = [
    { address: true, device: false },
    { address: false, device: true },
    { address: true, device: true },
  ]
  expect(riskScore([])).toBe(0)
  expect(riskScore([device])).toBe(0)
  expect(riskScore([address])).toBeCloseTo(0.3)
  expect(riskScore([both])).toBeCloseTo(0.6)
  expect(riskScore([both, both, both, both])).toBe(0.8)
  fc.assert(
    fc.property(fc.array(fc.record({ address: fc.boolean(), device: fc.boolean() })), (matches) => {
      expect(riskScore(matches)).toBeLessThanOrEqual(0.8)
      expect(riskScore([...matches, both])).toBeGreaterThanOrEqual(riskScore(matches))
    }),
  )
})

test('a public address is reduced to its network', () => {
  expect(addressPrefix('203.0.113.77')).toBe('203.0.113.0/24')
  expect(addressPrefix('::ffff:203.0.113.9')).toBe('203.0.113.0/24')
  expect(addressPrefix('2001:db8:7::1')).toBe('2001:db8:7::/48')
  expect(addressPrefix('2001:0DB8:0007:1:2:3:4:5')).toBe('2001:db8:7::/48')
  expect(addressPrefix('2a00::')).toBe('2a00:0:0::/48')
  fc.assert(
    fc.property(fc.ipV4(), fc.nat(255), (address, host) => {
      const moved = address.replace(/\d+$/, String(host))
      expect(addressPrefix(moved)).toBe(addressPrefix(address))
    }),
  )
  fc.assert(fc.property(fc.ipV6(), (address) => void addressPrefix(address)))
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.1.1',
  '172.20.0.1',
  '100.64.0.1',
  '169.254.1.1',
  '::1',
  'fe80::1',
  'fd00::1',
  'NA',
  '',
])('the address %j has no public network', (address) => expect(addressPrefix(address)).toBeNull())
