import type { CaseSummary, Statistics } from '#protocol/console.ts'
import { DAY_MS } from '#protocol/durations.ts'
import { median } from '../../platform/rules/median.ts'

export const STATISTICS_DAYS = 14

/** One decision of a moderator about a case; `openedAt` is when the case was opened. */
export type DecisionFact = { at: number; openedAt: number | null; upheld: boolean }

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Computes the console's statistics: open cases now, and decisions of the last STATISTICS_DAYS days. */
export function statisticsOf(
  open: readonly CaseSummary[],
  decisions: readonly DecisionFact[],
  now: number,
): Statistics {
  const days = Array.from({ length: STATISTICS_DAYS }, (_, index) =>
    dayOf(now - (STATISTICS_DAYS - 1 - index) * DAY_MS),
  )
  const since = open.flatMap(({ openedAt }) => openedAt ?? [])
  const decided = decisions.filter(({ at }) => days.includes(dayOf(at)))
  return {
    open: open.length,
    appeals: open.filter(({ kinds }) => kinds.includes('appeal')).length,
    overdue: open.filter(({ dueAt }) => dueAt !== null && dueAt < now).length,
    oldestAt: since.length > 0 ? since.reduce((a, b) => Math.min(a, b)) : null,
    days: days.map((day) => {
      const then = decided.filter(({ at }) => dayOf(at) === day)
      return { day, decided: then.length, upheld: then.filter(({ upheld }) => upheld).length }
    }),
    decided: decided.length,
    upheld: decided.filter(({ upheld }) => upheld).length,
    medianMs: median(decided.flatMap(({ at, openedAt }) => (openedAt === null ? [] : at - openedAt))),
  }
}
