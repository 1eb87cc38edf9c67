import type { BlockStatus } from '#protocol/block-status.ts'
import type { CaseKind, CaseSummary } from '#protocol/console.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../moderation/rules/ports.ts'
import { isPriorityReason } from '../../moderation/rules/priority-report.ts'

export const PAGE_SIZE = 50
/** Time within which moderators review an account that many users have reported and that may still chat. */
const URGENT_REVIEW_MS = DAY_MS

/** A report. `dueAt` is when a moderator must have decided; null without a deadline of its own. */
type QueuedReport = ReportFacts & { dueAt: number | null }

/** Everything open about one user. */
export type OpenCase = {
  id: string
  nickName: string | null
  status: BlockStatus
  statusUntil: number | null
  /** When the present status began. */
  statusSince: number | null
  reports: readonly QueuedReport[]
  findings: { count: number; oldestAt: number | null }
  /** What was open about an earlier account of the same person when it was deleted, at the time `at`. */
  earlier: { reports: number; findings: number; at: number } | null
}

/** Applies the policy to reports. `urgentSince` is when their number made the case urgent; null if it is not urgent. */
export type Weigh = (reports: readonly ReportFacts[]) => { weight: number; urgentSince: number | null }

/** Returns the reason and the deadline of the report that is due first; null if no report has a deadline of its own. */
function priorityOf(reports: readonly QueuedReport[]): CaseSummary['priority'] {
  let first: CaseSummary['priority'] = null
  for (const { reason, dueAt } of reports) {
    if (reason !== null && isPriorityReason(reason) && dueAt !== null && (first === null || dueAt < first.dueAt))
      first = { reason, dueAt }
  }
  return first
}

/** Computes the kinds, the weight and the due date by which a case is filtered and ordered. */
export function summaryOf(open: OpenCase, weigh: Weigh): CaseSummary {
  const { id, nickName, status, statusUntil, statusSince, reports, findings, earlier } = open
  const appealed = status === 'InReview'
  const kinds: CaseKind[] = []
  if (appealed) kinds.push('appeal')
  if (findings.count > 0) kinds.push('findings')
  if (reports.length > 0) kinds.push('reports')
  if (earlier) kinds.push('earlier-account')
  const times = [...reports.map(({ at }) => at), ...(findings.oldestAt === null ? [] : [findings.oldestAt])]
  if (appealed && statusSince !== null) times.push(statusSince)
  if (earlier) times.push(earlier.at)
  const openedAt = times.length > 0 ? Math.min(...times) : null
  // Users are promised a review of an appeal within REVIEW_DAYS; the same limit applies to all other cases.
  const promised = appealed ? statusUntil : null
  const { weight, urgentSince } = weigh(reports)
  const mayChat = status === 'Valid' || status === 'Warning'
  const priority = priorityOf(reports)
  const dues = [
    ...(openedAt === null ? [] : [openedAt + REVIEW_DAYS * DAY_MS]),
    ...(mayChat && urgentSince !== null ? [urgentSince + URGENT_REVIEW_MS] : []),
  ]
  const usual = promised ?? (dues.length === 0 ? null : Math.min(...dues))
  return {
    id,
    nickName,
    status,
    kinds,
    priority,
    reports: reports.length,
    reporters: new Set(reports.map(({ reporter }) => reporter)).size,
    findings: findings.count,
    weight: Math.round((weight + findings.count) * 100) / 100,
    openedAt,
    dueAt: priority && usual !== null ? Math.min(usual, priority.dueAt) : usual,
  }
}

type SortKey = Pick<CaseSummary, 'id' | 'weight' | 'dueAt'> & { priority: unknown }

function dueDay({ dueAt }: SortKey): number {
  return dueAt === null ? Number.MAX_SAFE_INTEGER : Math.floor(dueAt / DAY_MS)
}

const byPriority = ({ priority }: SortKey) => (priority ? 0 : 1)

/** Orders by priority, then by due day, then by weight, heaviest first. A total order: no two cases are equal. */
function compare(a: SortKey, b: SortKey): number {
  return (
    byPriority(a) - byPriority(b) ||
    dueDay(a) - dueDay(b) ||
    b.weight - a.weight ||
    (a.dueAt ?? 0) - (b.dueAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}

type Page = { cases: CaseSummary[]; next: string | null }

/** Prefix of the page cursor of a case with priority. */
const PRIORITY = 'p'

function cursorOf({ id, weight, dueAt, priority }: SortKey): string {
  return [`${priority ? PRIORITY : ''}${dueAt ?? ''}`, weight, id].join('_')
}

function parseCursor(cursor: string): SortKey | null {
  const [first = '', weight = '', ...id] = cursor.split('_')
  const priority = first.startsWith(PRIORITY)
  const due = priority ? first.slice(PRIORITY.length) : first
  const key = { id: id.join('_'), weight: Number(weight), dueAt: due === '' ? null : Number(due), priority }
  return key.id === '' || Number.isNaN(key.weight) || Number.isNaN(key.dueAt) ? null : key
}

/**
 * Returns the page that follows the page cursor `after`, the first page without one, and null for a malformed cursor. The cursor holds
 * the sort key of the last case, not an offset: cases that enter or leave the queue between two pages neither repeat nor hide others.
 */
export function pageOf(
  cases: readonly CaseSummary[],
  after: string | undefined,
  size: number = PAGE_SIZE,
): Page | null {
  const cursor = after === undefined ? null : parseCursor(after)
  if (after !== undefined && !cursor) return null
  const rest = cases.filter((one) => !cursor || (one.id !== cursor.id && compare(cursor, one) < 0)).sort(compare)
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return { cases: page, next: last && rest.length > size ? cursorOf(last) : null }
}
