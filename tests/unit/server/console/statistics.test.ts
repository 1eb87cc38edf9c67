import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#protocol/durations.ts'
import { summaryOf } from '../../../../server/console/rules/case-queue.ts'
import { STATISTICS_DAYS, statisticsOf } from '../../../../server/console/rules/statistics.ts'

const now = Date.parse('2026-11-21T08:00:00Z')
const waiting = (findings: { count: number; oldestAt: number | null }, statusUntil: number | null = null) =>
  summaryOf(
    {
      id: 'x',
      nickName: null,
      status: statusUntil === null ? 'Valid' : 'InReview',
      statusUntil,
      statusSince: statusUntil === null ? null : now - DAY_MS,
      reports: [],
      findings,
      earlier: null,
      resemblesSince: null,
    },
    () => ({ weight: 0, urgentSince: null }),
  )

test('open cases, appeals and overdue cases are counted', () => {
  const open = [
    waiting({ count: 1, oldestAt: now - 11 * DAY_MS }),
    waiting({ count: 1, oldestAt: now - HOUR_MS }),
    waiting({ count: 0, oldestAt: null }, now + 9 * DAY_MS),
  ]
  expect(statisticsOf(open, [], now)).toMatchObject({ open: 3, appeals: 1, overdue: 1, oldestAt: now - 11 * DAY_MS })
  expect(statisticsOf([], [], now)).toMatchObject({ open: 0, oldestAt: null, decided: 0, medianMs: null })
})

test('decisions by day, upheld ones, and the median time to a decision', () => {
  const decided = (at: number, hours: number | null, upheld: boolean) => ({
    at,
    openedAt: hours === null ? null : at - hours * HOUR_MS,
    upheld,
  })
  const statistics = statisticsOf(
    [],
    [
      decided(now, 1, true),
      decided(now - HOUR_MS, 5, false),
      decided(now - DAY_MS, 9, true),
      decided(now, null, true),
      decided(now - STATISTICS_DAYS * DAY_MS, 100, true),
    ],
    now,
  )
  expect(statistics).toMatchObject({ decided: 4, upheld: 3, medianMs: 5 * HOUR_MS })
  expect(statistics.days).toHaveLength(STATISTICS_DAYS)
  expect(statistics.days.slice(-2)).toEqual([
    { day: '2026-11-20', decided: 1, upheld: 1 },
    { day: '2026-11-21', decided: 3, upheld: 2 },
  ])
})
