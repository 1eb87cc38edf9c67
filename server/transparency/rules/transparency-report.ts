import { HOUR_MS } from '#protocol/durations.ts'
import {
  complaintScopes,
  contentNoticeAnswerScopes,
  contentNoticeScopes,
  decisionScopes,
  type Indicator,
  noticeScopes,
  restrictionScopes,
  type TransparencyRow,
  type TransparencyScope,
} from '#protocol/transparency.ts'
import { median } from '../../platform/rules/median.ts'
import { type Period, timesOf } from './period.ts'
import type { ChangeFact, ContentNoticeFact, NoticeFact } from './ports.ts'
import { isSmall, isWhole, SHOWN_MIN, type ShownCounts, suppress } from './suppression.ts'

type ComplaintScope = (typeof complaintScopes)[number]
type RestrictionScope = (typeof restrictionScopes)[number]

/** One part of the report: a table whose counts are in no other part. */
type Table = { shown: ShownCounts; rows: TransparencyRow[] }

function tableOf<S extends TransparencyScope>(indicator: Indicator, scopes: readonly S[], found: readonly S[]): Table {
  const shown = suppress(scopes.map((scope) => found.filter((one) => one === scope).length))
  const rows = scopes.map((scope, index) => ({ indicator, scope, value: shown.counts[index] ?? null }))
  return { shown, rows: [...rows, { indicator, scope: 'total', value: shown.total }] }
}

/**
 * Returns the median in whole hours, rounded up. Null for fewer than SHOWN_MIN times, since the median of a few can be
 * the time of a known case.
 */
export function medianHours(times: readonly number[]): number | null {
  const middle = times.length < SHOWN_MIN ? null : median(times)
  return middle === null ? null : Math.ceil(middle / HOUR_MS)
}

/** Returns the share in whole per cent; null if `part` or the rest is a small count, or if `whole` is less than SHOWN_MIN. */
function percentOf(part: number, whole: number): number | null {
  if (whole < SHOWN_MIN || isSmall(part) || isSmall(whole - part)) return null
  return Math.round((100 * part) / whole)
}

/** Actors that decide without a person. A resumed earlier case and a status that ends in time are no decisions. */
const machines: readonly ChangeFact['by'][] = ['policy', 'classifier', 'age', 'ban']

const byModerators: Partial<Record<ChangeFact['to'], RestrictionScope>> = {
  Warning: 'moderator-warning',
  Appeal: 'moderator-suspension',
  Blocked: 'moderator-block',
  Valid: 'moderator-restoration',
}

function restrictionOf({ by, from, to, what }: ChangeFact): RestrictionScope[] {
  if (machines.includes(by)) {
    if (to === 'Warning') return ['automatic-notices-warning']
    if (to === 'Appeal') return [what === 'reports' ? 'automatic-notices-suspension' : 'automatic-own-suspension']
    return to === 'Blocked' ? ['automatic-own-block'] : []
  }
  if (by !== 'moderator' || from === 'InReview') return []
  const scope = byModerators[to]
  return scope ? [scope] : []
}

/** Returns the change that ended the review which this appeal began; undefined while the review goes on. */
function endOfReview(appeal: ChangeFact, history: readonly ChangeFact[]): ChangeFact | undefined {
  return history.slice(history.indexOf(appeal) + 1).find(({ from }) => from === 'InReview')
}

function complaintOf(end: ChangeFact | undefined): ComplaintScope {
  if (!end) return 'pending'
  if (end.by === 'time') return 'late'
  if (end.to === 'Valid') return 'reversed'
  return end.to === 'Warning' ? 'reduced' : 'kept'
}

/** Returns whether a moderator who looked at the machine's decision lifted it; null if none has looked. */
function wasReversed(decision: ChangeFact, history: readonly ChangeFact[]): boolean | null {
  const next = history.slice(history.indexOf(decision) + 1).find(({ by }) => by !== 'user')
  return next?.by === 'moderator' ? next.to === 'Valid' : null
}

function within(period: Period): (at: number | null) => at is number {
  const { start, end } = timesOf(period)
  return (at): at is number => at !== null && at >= start && at < end
}

/** Computes the rows of a report. `changes` must include those after the period, which hold the outcome of complaints at its end. */
export function transparencyRows(
  period: Period,
  notices: readonly NoticeFact[],
  changes: readonly ChangeFact[],
): TransparencyRow[] {
  const isWithin = within(period)
  const histories = Map.groupBy(changes, ({ accountId }) => accountId)
  const historyOf = ({ accountId }: ChangeFact) => histories.get(accountId) ?? []

  const received = notices.filter(({ at }) => isWithin(at))
  const decided = notices.flatMap(({ at, outcome, decidedAt }) =>
    outcome !== null && isWithin(decidedAt) ? [{ outcome, tookMs: decidedAt - at }] : [],
  )
  const ofPeriod = changes.filter(({ at }) => isWithin(at))
  const appeals = ofPeriod
    .filter(({ by, to }) => by === 'user' && to === 'InReview')
    .map((appeal) => ({ appeal, ended: endOfReview(appeal, historyOf(appeal)) }))
  const reviewed = ofPeriod
    .filter((change) => machines.includes(change.by))
    .flatMap((change) => wasReversed(change, historyOf(change)) ?? [])

  const noticeTable = tableOf(
    'notices-received',
    noticeScopes,
    received.map(({ reason }) => noticeScopes.find((scope) => scope === reason) ?? 'not-stated'),
  )
  const decisionTable = tableOf(
    'notices-decided',
    decisionScopes,
    decided.map(({ outcome }) => (outcome === 'upheld' ? 'action' : 'no-action')),
  )
  const restrictions = ofPeriod.flatMap(restrictionOf)
  const restrictionTable = tableOf('restrictions', restrictionScopes, restrictions)
  const complaintTable = tableOf(
    'complaints',
    complaintScopes,
    appeals.map(({ ended }) => complaintOf(ended)),
  )
  const automatic = restrictions.filter((scope) => scope.startsWith('automatic')).length
  const errors = reviewed.filter((reversed) => reversed).length
  const total = (indicator: Indicator, value: number | null): TransparencyRow => ({ indicator, scope: 'total', value })
  // A share is computed from counts of other tables, so it is shown only if all counts of those tables are shown.
  const isOpen = isWhole(restrictionTable.shown) && isWhole(complaintTable.shown)

  return [
    ...noticeTable.rows,
    ...decisionTable.rows,
    total('notices-median', medianHours(decided.map(({ tookMs }) => tookMs))),
    ...restrictionTable.rows,
    ...complaintTable.rows,
    total(
      'complaints-median',
      medianHours(appeals.flatMap(({ appeal, ended }) => (ended?.by === 'moderator' ? ended.at - appeal.at : []))),
    ),
    total('automated-share', isOpen ? percentOf(automatic, restrictions.length) : null),
    total('automated-errors', isOpen ? percentOf(errors, reviewed.length) : null),
  ]
}

export function contentNoticeRows(period: Period, notices: readonly ContentNoticeFact[]): TransparencyRow[] {
  const isWithin = within(period)
  const received = notices.filter(({ at }) => isWithin(at)).map(({ kind }) => kind)
  const answered = notices.flatMap(({ at, outcome, answeredAt }) =>
    outcome !== null && isWithin(answeredAt) ? [{ outcome, tookMs: answeredAt - at }] : [],
  )
  const outcomes = answered.map(({ outcome }) => outcome)
  const hours = medianHours(answered.map(({ tookMs }) => tookMs))
  return [
    ...tableOf('content-notices-received', contentNoticeScopes, received).rows,
    ...tableOf('content-notices-decided', contentNoticeAnswerScopes, outcomes).rows,
    { indicator: 'content-notices-median', scope: 'total', value: hours },
  ]
}
