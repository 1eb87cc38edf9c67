import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseSummary } from '#protocol/console.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { readConfig } from '../../../../server/config/config.ts'
import { type OpenCase, pageOf, summaryOf, type Weigh } from '../../../../server/console/rules/case-queue.ts'
import type { ReportFacts } from '../../../../server/moderation/rules/ports.ts'
import { urgentSince, weightOfReports } from '../../../../server/moderation/rules/report-weight.ts'
import { settledReport } from '../../../support/stores/settled-report.ts'

const { moderation: policy } = readConfig({})
const noon = Date.parse('2026-11-20T12:00:00Z')

function openCase(change: Partial<OpenCase>): OpenCase {
  const nothing = { count: 0, oldestAt: null }
  const status = { status: 'Valid', statusUntil: null, statusSince: null } as const
  return {
    id: 'ada',
    nickName: 'Ada',
    ...status,
    reports: [],
    findings: nothing,
    earlier: null,
    resemblesSince: null,
    ...change,
  }
}
const report = (reporter: string, at: number) => ({ ...settledReport(reporter, { at }), dueAt: null })
const weigh: Weigh = (reports) => ({
  weight: weightOfReports(reports, policy),
  urgentSince: urgentSince(reports, policy.reportsToSuspend),
})
const of = (change: Partial<OpenCase>) => summaryOf(openCase(change), weigh)

test('a case with enough reports to suspend is due within a day while the user may still chat', () => {
  const reports = ['bea', 'cem', 'dan', 'eve'].map((name, index) => report(name, noon + index))
  const due = (status: OpenCase['status']) => of({ reports, status }).dueAt
  expect(due('Valid')).toBe(noon + 3 + DAY_MS)
  expect(due('Warning')).toBe(noon + 3 + DAY_MS)
  expect(due('Appeal')).toBe(noon + 10 * DAY_MS)
})

test('an account that resembles a banned one is due within a day of its creation', () => {
  expect(of({ resemblesSince: noon })).toMatchObject({ kinds: ['resemblance'], openedAt: noon, dueAt: noon + DAY_MS })
})

test('of several reports with a clock the one that ends first is shown, and the case is due then, also while it is paused', () => {
  const reports = [
    { ...report('bea', noon), reason: 'intimate-without-consent', dueAt: noon + 2 * DAY_MS } as const,
    { ...report('cem', noon + 5), reason: 'under-18', dueAt: noon + 5 + DAY_MS } as const,
    // Its reporter starts no clock.
    { ...report('dan', noon - DAY_MS), reason: 'under-18' } as const,
  ]
  const priority = { reason: 'under-18', dueAt: noon + 5 + DAY_MS, weight: 1 }
  for (const status of ['Valid', 'Appeal', 'InReview'] as const)
    expect(of({ reports, status, statusUntil: noon + 9 * DAY_MS })).toMatchObject({ priority, dueAt: priority.dueAt })
  expect(of({ reports: reports.slice(2) }).priority).toBeNull()
})

test('a case with a clock is before every other, overdue and heavy ones included', () => {
  const clock = { reason: 'under-18', dueAt: noon + DAY_MS, weight: 0.25 } as const
  const later = { reason: 'intimate-without-consent', dueAt: noon + 2 * DAY_MS, weight: 0.25 } as const
  const cases = [
    { ...of({ id: 'overdue' }), dueAt: noon - 9 * DAY_MS, weight: 400 },
    { ...of({ id: 'heavy' }), dueAt: noon, weight: 900 },
    { ...of({ id: 'intimate' }), dueAt: later.dueAt, weight: 1, priority: later },
    { ...of({ id: 'minor' }), dueAt: clock.dueAt, weight: 0.25, priority: clock },
  ]
  expect(pageOf(cases, undefined)?.cases.map(({ id }) => id)).toEqual(['minor', 'intimate', 'overdue', 'heavy'])
})

test('of cases with a clock the one with the heaviest report comes first, however many new accounts made the others', () => {
  const urgent = (reporter: string, at: number, given: Partial<ReportFacts> = {}) =>
    ({ ...settledReport(reporter, { at, reason: 'under-18', ...given }), dueAt: at + DAY_MS }) as const
  const fresh = (name: string, about: number) =>
    urgent(`${name}`, noon + about, { reporterSince: noon - about, keptCalls: 0, earlierToday: about })
  const brigade = Array.from({ length: 30 }, (_, about) =>
    of({ id: `victim ${about}`, reports: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => fresh(name, about)) }),
  )
  const real = of({ id: 'real', reports: [urgent('ada', noon + 100)] })
  expect(pageOf([...brigade, real], undefined)?.cases[0]?.id).toBe('real')
  // A page that an earlier version of the server began shows them all again.
  const cursor = `p${noon + 300 * DAY_MS}_0.25_zzz`
  expect(pageOf([...brigade, real], cursor)?.cases).toHaveLength(31)
})

test('a kept case of an earlier account is open until it is decided', () => {
  const earlier = { reports: 2, findings: 0, at: noon }
  expect(of({ earlier })).toMatchObject({ kinds: ['earlier-account'], openedAt: noon, dueAt: noon + 10 * DAY_MS })
})

test('an appeal is due at its own date, whatever was reported before', () => {
  const appeal = { status: 'InReview', statusSince: noon - DAY_MS, statusUntil: noon + 9 * DAY_MS } as const
  const summary = of({ ...appeal, reports: [report('bea', noon - 5 * DAY_MS)] })
  expect(summary).toMatchObject({ kinds: ['appeal', 'reports'], dueAt: noon + 9 * DAY_MS, openedAt: noon - 5 * DAY_MS })
})

test('reports and findings are due ten days after the first of them; two reports of one reporter weigh as one', () => {
  const reports = [report('bea', noon), report('bea', noon - DAY_MS), report('cem', noon)]
  expect(of({ reports, findings: { count: 2, oldestAt: noon - 2 * DAY_MS } })).toMatchObject({
    kinds: ['findings', 'reports'],
    reports: 3,
    reporters: 2,
    findings: 2,
    weight: 4,
    openedAt: noon - 2 * DAY_MS,
    dueAt: noon + 8 * DAY_MS,
  })
})

test('a suspension is not an appeal, and a case without open reports has no due date', () => {
  expect(of({ status: 'Appeal', statusSince: noon, statusUntil: noon })).toMatchObject({ kinds: [], dueAt: null })
})

const summaries = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    dueAt: fc.option(fc.integer({ min: 0, max: 5 * DAY_MS })),
    weight: fc.integer({ min: 0, max: 400 }).map((weight) => weight / 100),
    priority: fc.option(
      fc.constantFrom(0, 0.25, 1).map((heaviest) => ({ reason: 'under-18' as const, dueAt: 0, weight: heaviest })),
    ),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
)
const asCases = (keys: readonly Pick<CaseSummary, 'id' | 'dueAt' | 'weight' | 'priority'>[]): CaseSummary[] =>
  keys.map((key) => ({ ...of({}), ...key }))

test('pages of any size show every case once and in order: with a clock first, then by the day it is due, then by weight', () => {
  fc.assert(
    fc.property(summaries, fc.integer({ min: 1, max: 7 }), (keys, size) => {
      const cases = asCases(keys)
      const seen: CaseSummary[] = []
      for (let after: string | undefined, more = true; more; ) {
        const page = pageOf(cases, after, size)
        seen.push(...(page?.cases ?? []))
        after = page?.next ?? undefined
        more = after !== undefined
      }
      expect(seen.map(({ id }) => id).toSorted()).toEqual(keys.map(({ id }) => id).toSorted())
      const day = ({ dueAt }: CaseSummary) => (dueAt === null ? Number.POSITIVE_INFINITY : Math.floor(dueAt / DAY_MS))
      seen.slice(1).forEach((later, index) => {
        const earlier = seen[index]
        if (!earlier) return
        if (later.priority) expect(earlier.priority).not.toBeNull()
        const [one, other] = [earlier, later].map(({ priority }) => priority?.weight ?? -1)
        expect(one).toBeGreaterThanOrEqual(other ?? 0)
        if (one !== other) return
        expect(day(earlier)).toBeLessThanOrEqual(day(later))
        if (day(earlier) === day(later)) expect(earlier.weight).toBeGreaterThanOrEqual(later.weight)
      })
    }),
  )
})

test('a case that leaves the queue between two pages hides none of the others', () => {
  fc.assert(
    fc.property(summaries, fc.integer({ min: 1, max: 7 }), fc.nat(), (keys, size, which) => {
      const cases = asCases(keys)
      const first = pageOf(cases, undefined, size)
      const gone = first?.cases[which % Math.max(1, first.cases.length)]?.id
      const rest = cases.filter(({ id }) => id !== gone)
      const next = first?.next == null ? null : pageOf(rest, first.next, cases.length)
      const seen = [...(first?.cases ?? []), ...(next?.cases ?? [])].map(({ id }) => id)
      expect(seen.toSorted()).toEqual(keys.map(({ id }) => id).toSorted())
    }),
  )
})

test.each(['', 'x', '1_2', 'a_b_c', '1_x_id', 'px_1_id', 'p1_2'])('%j is no page cursor', (cursor) => {
  expect(pageOf([], cursor)).toBeNull()
})
