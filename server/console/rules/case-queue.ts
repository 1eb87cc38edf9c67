import { type BlockStatus, mayChat } from '#protocol/block-status.ts'
import type { CaseKind, CaseSummary } from '#protocol/console.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { ReportFacts } from '../../moderation/rules/ports.ts'
import { isPriorityReason } from '../../moderation/rules/priority-report.ts'

export const PAGE_SIZE = 50
/** Time to review an account that may chat and that many users have reported, or that resembles a banned account. */
const URGENT_REVIEW_MS = DAY_MS

/** A report. `dueAt` is when a moderator must have decided; null for a report without a deadline of its own. */
type QueuedReport = ReportFacts & { dueAt: number | null }

export type OpenCase = {
  id: string
  nickName: string | null
  status: BlockStatus
  statusUntil: number | null
  statusSince: number | null
  reports: readonly QueuedReport[]
  findings: { count: number; oldestAt: number | null }
  /** What was open about an earlier account of the same person when it was deleted, at the time `at`. */
  earlier: { reports: number; findings: number; at: number } | null
  /** When the account was created, if it resembles the account of a person who was banned shortly before (`readCases`); else null. */
  resemblesSince: number | null
}

/** `urgentSince` is when the weight of the reports made the case urgent; null if it is not urgent. */
export type Weigh = (reports: readonly ReportFacts[]) => { weight: number; urgentSince: number | null }

const rounded = (weight: number) => Math.round(weight * 100) / 100

/**
 * Returns reason and deadline of the report that is due first, and the weight of the heaviest report with a deadline; null if no report has
 * one. Not the sum of the weights: with it, many false reports would come before one honest report.
 */
function priorityOf(reports: readonly QueuedReport[], weigh: Weigh): CaseSummary['priority'] {
  const urgent = reports.flatMap((report) => {
    const { reason, dueAt } = report
    const weight = rounded(weigh([report]).weight)
    return reason !== null && isPriorityReason(reason) && dueAt !== null ? [{ reason, dueAt, weight }] : []
  })
  const [first] = urgent.sort((one, other) => one.dueAt - other.dueAt)
  return first ? { ...first, weight: Math.max(...urgent.map(({ weight }) => weight)) } : null
}

/** Computes the kinds, the weight and the due date by which a case is filtered and ordered. */
export function summaryOf(open: OpenCase, weigh: Weigh): CaseSummary {
  const { id, nickName, status, statusUntil, statusSince, reports, findings, earlier, resemblesSince } = open
  const appealed = status === 'InReview'
  const kinds: CaseKind[] = []
  if (appealed) kinds.push('appeal')
  if (findings.count > 0) kinds.push('findings')
  if (reports.length > 0) kinds.push('reports')
  if (earlier) kinds.push('earlier-account')
  if (resemblesSince !== null) kinds.push('resemblance')
  const times = [...reports.map(({ at }) => at), ...(findings.oldestAt === null ? [] : [findings.oldestAt])]
  if (appealed && statusSince !== null) times.push(statusSince)
  if (earlier) times.push(earlier.at)
  if (resemblesSince !== null) times.push(resemblesSince)
  const openedAt = times.length > 0 ? Math.min(...times) : null
  // Users are promised a review of an appeal within REVIEW_DAYS; the same limit applies to all other cases.
  const promised = appealed ? statusUntil : null
  const { weight, urgentSince } = weigh(reports)
  const priority = priorityOf(reports, weigh)
  const dues = [
    ...(openedAt === null ? [] : [openedAt + REVIEW_DAYS * DAY_MS]),
    ...(resemblesSince === null ? [] : [resemblesSince + URGENT_REVIEW_MS]),
    ...(mayChat(status) && urgentSince !== null ? [urgentSince + URGENT_REVIEW_MS] : []),
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
    weight: rounded(weight + findings.count),
    openedAt,
    dueAt: priority && usual !== null ? Math.min(usual, priority.dueAt) : usual,
  }
}

type SortKey = Pick<CaseSummary, 'id' | 'weight' | 'dueAt'> & { priority: { weight: number } | null }

function dueDay({ dueAt }: SortKey): number {
  return dueAt === null ? Number.MAX_SAFE_INTEGER : Math.floor(dueAt / DAY_MS)
}

const priorityWeight = ({ priority }: SortKey) => priority?.weight ?? -1

/** Orders by the heaviest report with priority, then by due day, then by weight. A total order: no two cases are equal. */
function compare(a: SortKey, b: SortKey): number {
  return (
    priorityWeight(b) - priorityWeight(a) ||
    dueDay(a) - dueDay(b) ||
    b.weight - a.weight ||
    (a.dueAt ?? 0) - (b.dueAt ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}

type Page = { cases: CaseSummary[]; next: string | null }

function cursorOf({ id, weight, dueAt, priority }: SortKey): string {
  return [`${priority ? `p${priority.weight}p` : ''}${dueAt ?? ''}`, weight, id].join('_')
}

/** A page cursor of an earlier version has no weight for a case with priority. Its page begins with the first case with priority. */
const cursorPattern = /^(?<priority>p(?:(?<heaviest>[\d.]+)p)?)?(?<due>[\d.]*)_(?<weight>[\d.]+)_(?<id>.+)$/s

function parseCursor(cursor: string): SortKey | null {
  const { priority, heaviest, due = '', weight, id = '' } = cursorPattern.exec(cursor)?.groups ?? {}
  const key = {
    id,
    weight: Number(weight),
    dueAt: due === '' ? null : Number(due),
    priority: priority === undefined ? null : { weight: Number(heaviest ?? Number.MAX_SAFE_INTEGER) },
  }
  return id === '' || [key.weight, key.dueAt, key.priority?.weight].some(Number.isNaN) ? null : key
}

/**
 * Returns the page that follows the page cursor `after`, the first page without a cursor, and null for a malformed
 * cursor. The cursor holds the sort key of the last case, not an offset. So a case that enters or leaves the queue
 * between two requests makes no other case appear twice or not at all.
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
