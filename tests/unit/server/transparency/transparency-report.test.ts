import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import type { Indicator, TransparencyRow, TransparencyScope } from '#protocol/transparency.ts'
import { monthsOf, timesOf } from '../../../../server/transparency/rules/period.ts'
import type { ChangeFact, ContentNoticeFact, NoticeFact } from '../../../../server/transparency/rules/ports.ts'
import { transparencyCsv } from '../../../../server/transparency/rules/transparency-csv.ts'
import {
  contentNoticeRows,
  medianHours,
  transparencyRows,
} from '../../../../server/transparency/rules/transparency-report.ts'
import { readCsv } from '../../../support/read-csv.ts'

const period = { from: '2026-01', to: '2026-06' }
const { start, end } = timesOf(period)
const inside = start + DAY_MS

function shownOf(rows: readonly TransparencyRow[], indicator: Indicator, scope: TransparencyScope = 'total') {
  const found = rows.filter((row) => row.indicator === indicator && row.scope === scope)
  expect(found).toHaveLength(1)
  return found[0]?.value
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

const notice = (change: Partial<NoticeFact> = {}): NoticeFact => ({
  reason: null,
  at: inside,
  outcome: null,
  decidedAt: null,
  ...change,
})

let people = 0
const person = () => `person ${people++}`
const change = (accountId: string, given: Partial<ChangeFact>): ChangeFact => ({
  accountId,
  from: 'Valid',
  to: 'Warning',
  by: 'policy',
  what: 'reports',
  at: inside,
  ...given,
})
const suspended = (id: string, by: ChangeFact['by'] = 'policy') =>
  change(id, { to: 'Appeal', by, what: by === 'policy' ? 'reports' : 'frames' })
const appealed = (id: string, at = inside + 1) => change(id, { from: 'Appeal', to: 'InReview', by: 'user', at })
const reviewed = (id: string, to: ChangeFact['to'], given: Partial<ChangeFact> = {}) =>
  change(id, { from: 'InReview', to, by: 'moderator', what: 'moderator', at: inside + 2 * HOUR_MS, ...given })

test('reports are counted by reason, and an unknown reason as not stated', () => {
  const rows = transparencyRows(
    period,
    [
      ...times(9, () => notice({ reason: 'nudity' })),
      ...times(6, () => notice({ reason: 'spam' })),
      ...times(5, () => notice({ reason: 'a reason of a later version' })),
      ...times(5, () => notice()),
    ],
    [],
  )
  expect(shownOf(rows, 'notices-received', 'nudity')).toBe(9)
  expect(shownOf(rows, 'notices-received', 'spam')).toBe(6)
  expect(shownOf(rows, 'notices-received', 'not-stated')).toBe(10)
  expect(shownOf(rows, 'notices-received')).toBe(25)
})

test('notices of people without an account are counted by kind and answer, in the period of each', () => {
  const facts = (count: number, given: Partial<ContentNoticeFact> = {}) =>
    times(count, () => ({ kind: 'intimate-picture' as const, at: inside, outcome: null, answeredAt: null, ...given }))
  const rows = contentNoticeRows(period, [
    ...facts(6, { outcome: 'acted', answeredAt: inside + 3 * HOUR_MS }),
    ...facts(5, { kind: 'impersonation', at: start - HOUR_MS, outcome: 'declined', answeredAt: start }),
    ...facts(7, { kind: 'impersonation', at: end - 1, outcome: 'declined', answeredAt: end }),
    ...facts(5, { at: end }),
  ])
  expect(shownOf(rows, 'content-notices-received', 'intimate-picture')).toBe(6)
  expect(shownOf(rows, 'content-notices-received', 'impersonation')).toBe(7)
  expect(shownOf(rows, 'content-notices-received')).toBe(13)
  expect(shownOf(rows, 'content-notices-decided', 'acted')).toBe(6)
  expect(shownOf(rows, 'content-notices-decided', 'declined')).toBe(5)
  expect(shownOf(rows, 'content-notices-median')).toBe(3)
  const few = contentNoticeRows(period, facts(4, { outcome: 'acted', answeredAt: inside }))
  expect(few.filter(({ value }) => value !== null && value !== 0)).toEqual([])
})

test('a report counts as received and as decided in the period of each', () => {
  const decided = { outcome: 'upheld', decidedAt: inside + 3 * HOUR_MS } as const
  const rows = transparencyRows(
    period,
    [
      ...times(5, () => notice(decided)),
      ...times(6, () => notice({ at: start - 1, outcome: 'dismissed', decidedAt: start })),
      ...times(7, () => notice({ at: end - 1, outcome: 'dismissed', decidedAt: end })),
    ],
    [],
  )
  expect(shownOf(rows, 'notices-received')).toBe(12)
  expect(shownOf(rows, 'notices-decided', 'action')).toBe(5)
  expect(shownOf(rows, 'notices-decided', 'no-action')).toBe(6)
})

test('decisions are counted by machine and moderator, and those on appeals with the appeals alone', () => {
  const changes = [
    ...times(7, () => change(person(), {})),
    ...times(6, () => suspended(person())),
    ...times(5, () => suspended(person(), 'classifier')),
    ...times(5, () => change(person(), { to: 'Blocked', by: 'age', what: 'age' })),
    ...times(8, () => change(person(), { to: 'Blocked', by: 'moderator', what: 'moderator' })),
    // Not decisions of the period: a case that goes on with another account, an end in time, and others before and after.
    ...times(9, () => change(person(), { to: 'Appeal', by: 'earlier-case' })),
    ...times(9, () => change(person(), { from: 'Warning', to: 'Valid', by: 'time' })),
    ...times(9, () => change(person(), { at: start - 1 })),
    ...times(9, () => change(person(), { at: end })),
    ...times(5, () => {
      const id = person()
      return [suspended(id), appealed(id), reviewed(id, 'Valid')]
    }).flat(),
  ]
  const rows = transparencyRows(period, [], changes)
  const shown = (scope: TransparencyScope) => shownOf(rows, 'restrictions', scope)
  expect(shown('automatic-notices-warning')).toBe(7)
  expect(shown('automatic-notices-suspension')).toBe(11)
  expect(shown('automatic-own-suspension')).toBe(5)
  expect(shown('automatic-own-block')).toBe(5)
  expect(shown('moderator-block')).toBe(8)
  expect(shown('moderator-restoration')).toBe(0)
  expect(shown('total')).toBe(36)
  expect(shownOf(rows, 'complaints', 'reversed')).toBe(5)
  expect(shownOf(rows, 'automated-share')).toBe(Math.round((100 * 28) / 36))
})

test('each appeal has one outcome, also one that comes after the period', () => {
  const outcome = (to: ChangeFact['to'], given: Partial<ChangeFact> = {}) => {
    const id = person()
    return [suspended(id), appealed(id, end - 1), reviewed(id, to, { at: end + HOUR_MS, ...given })]
  }
  const rows = transparencyRows(
    period,
    [],
    [
      ...times(5, () => outcome('Valid')),
      ...times(6, () => outcome('Warning')),
      ...times(7, () => outcome('Appeal')),
      ...times(8, () => outcome('Warning', { by: 'time', what: 'review-late' })),
      ...times(9, () => {
        const id = person()
        return [suspended(id), appealed(id)]
      }),
    ].flat(),
  )
  const scopes = ['reversed', 'reduced', 'kept', 'late', 'pending', 'total'] as const
  expect(scopes.map((scope) => shownOf(rows, 'complaints', scope))).toEqual([5, 6, 7, 8, 9, 35])
  expect(shownOf(rows, 'complaints-median')).toBe(2)
  // 18 of the decisions of machines were examined, 5 lifted.
  expect(shownOf(rows, 'automated-errors')).toBe(28)
})

test('a share that would give a hidden count away is not shown', () => {
  const few = times(3, () => change(person(), { to: 'Blocked', by: 'moderator' }))
  const rows = transparencyRows(period, [], [...times(20, () => change(person(), {})), ...few])
  expect(shownOf(rows, 'restrictions', 'moderator-block')).toBeNull()
  expect(shownOf(rows, 'automated-share')).toBeNull()
})

test('no report shows a count from 1 to 4, and no share while a count of its tables is hidden', () => {
  const anyChange = fc
    .record({
      who: fc.nat(20),
      given: fc.constantFrom<Partial<ChangeFact>>(
        {},
        { to: 'Appeal' },
        { to: 'Appeal', by: 'classifier', what: 'frames' },
        { from: 'Appeal', to: 'InReview', by: 'user' },
        { from: 'InReview', to: 'Valid', by: 'moderator' },
        { from: 'InReview', to: 'Warning', by: 'time' },
        { to: 'Blocked', by: 'moderator' },
        { from: 'Warning', to: 'Valid', by: 'moderator' },
      ),
    })
    .map(({ who, given }) => change(`somebody ${who}`, given))
  const anyNotice = fc
    .record({
      reason: fc.constantFrom('nudity', 'spam', 'other', null),
      outcome: fc.constantFrom('upheld' as const, 'dismissed' as const, null),
    })
    .map(({ reason, outcome }) => notice({ reason, outcome, decidedAt: outcome && inside + HOUR_MS }))
  fc.assert(
    fc.property(fc.array(anyNotice, { maxLength: 60 }), fc.array(anyChange, { maxLength: 60 }), (notices, changes) => {
      const rows = transparencyRows(period, notices, changes)
      const counts: readonly Indicator[] = ['notices-received', 'notices-decided', 'restrictions', 'complaints']
      for (const { indicator, value } of rows) if (counts.includes(indicator)) expect([1, 2, 3, 4]).not.toContain(value)
      const isHidden = rows.some(
        ({ indicator, value }) => value === null && (indicator === 'restrictions' || indicator === 'complaints'),
      )
      if (isHidden) expect([shownOf(rows, 'automated-share'), shownOf(rows, 'automated-errors')]).toEqual([null, null])
    }),
  )
})

test('a median is a time of the middle, in hours, and needs five', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000 * HOUR_MS })), (took) => {
      const hours = medianHours(took)
      if (took.length < 5) {
        expect(hours).toBeNull()
        return
      }
      const within = (most: number) => took.filter((one) => one <= most * HOUR_MS).length
      // At least half of them took at most so many hours, and at most half an hour less.
      expect(within(hours ?? 0) * 2).toBeGreaterThanOrEqual(took.length)
      expect(within((hours ?? 0) - 1) * 2).toBeLessThanOrEqual(took.length)
    }),
  )
  expect(medianHours([5, 1, 4, 2, 3].map((hours) => hours * HOUR_MS))).toBe(3)
  expect(medianHours([0, 0, 0, 0, 0])).toBe(0)
})

test('a period is of whole months', () => {
  expect(new Date(start).toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(new Date(end).toISOString()).toBe('2026-07-01T00:00:00.000Z')
  expect(new Date(timesOf({ from: '2026-12', to: '2026-12' }).end).toISOString()).toBe('2027-01-01T00:00:00.000Z')
  expect(monthsOf({ from: '2026-06', to: '2026-06' })).toEqual(['2026-06'])
  expect(monthsOf({ from: '2025-11', to: '2026-02' })).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsOf({ from: '2099-12', to: '2099-12' })).toEqual(['2099-12'])
})

test('the CSV, read again, has every row and an empty value for what is not shown', () => {
  const rows = transparencyRows(
    period,
    times(9, () => notice({ reason: 'violence' })),
    times(3, () => change(person(), {})),
  )
  const [head, ...lines] = readCsv(transparencyCsv({ ...period, rows }))
  const months = ['Reporting period start', 'Reporting period end']
  expect(head).toEqual(['Service', ...months, 'Section', 'Indicator', 'Scope', 'Value', 'Contextual Information'])
  const complaints = lines.filter((line) => line[3] === 'Internal complaints mechanism')
  expect(complaints.map((line) => line[5])).toEqual(expect.arrayContaining(['Total number', 'Median time']))
  expect(lines.map((line) => line[6])).toEqual(rows.map(({ value }) => (value === null ? '' : String(value))))
  expect(lines.every((line) => line.length === 8 && line[1] === '2026-01' && line[2] === '2026-06')).toBe(true)
  expect(lines.filter((line) => line[5] === 'Violence; self-harm' && line[6] === '9')).toHaveLength(1)
})
