import type { CaseKind, CaseSummary } from '#protocol/console.ts'
import { REVIEW_DAYS } from '#protocol/constants.ts'
import { DAY_MS } from '#protocol/durations.ts'
import type { BlockStatus } from '#protocol/fields.ts'
import type { ReportFacts } from '../../moderation/rules/ports.ts'

export const PAGE_SIZE = 50
/** Time within which moderators are to decide about an account that many have reported and that may still chat. */
const URGENT_REVIEW_MS = DAY_MS

/** Somebody about whom something is open, as the records have it. */
export type OpenCase = {
  id: string
  nickName: string | null
  status: BlockStatus
  statusUntil: number | null
  /** When the status became what it is. */
  statusSince: number | null
  reports: readonly ReportFacts[]
  findings: { count: number; oldestAt: number | null }
  /** What was open about an account of the same person that was deleted at that time. */
  earlier: { reports: number; findings: number; at: number } | null
}

/** The policy's judgement of reports. `urgentSince` is when they became so many that moderators look first. */
export type Weigh = (reports: readonly ReportFacts[]) => { weight: number; urgentSince: number | null }

/** What a case has to say for its place in the queue. */
export function summaryOf(open: OpenCase, weigh: Weigh): CaseSummary {
  const { id, nickName, status, statusUntil, statusSince, reports, findings, earlier } = open
  const appealed = status === 'InReview'
  const kinds: CaseKind[] = []
  if (appealed) kinds.push('appeal')
  if (findings.count > 0) kinds.push('findings')
  if (reports.length > 0) kinds.push('reports')
  if (earlier) kinds.push('earlier-account')
  const since = [...reports.map(({ at }) => at), ...(findings.oldestAt === null ? [] : [findings.oldestAt])]
  if (appealed && statusSince !== null) since.push(statusSince)
  if (earlier) since.push(earlier.at)
  const openedAt = since.length > 0 ? Math.min(...since) : null
  // Ten days are promised for an appeal; we hold ourselves to the same for the rest.
  const promised = appealed ? statusUntil : null
  const { weight, urgentSince } = weigh(reports)
  const mayChat = status === 'Valid' || status === 'Warning'
  const dues = [
    ...(openedAt === null ? [] : [openedAt + REVIEW_DAYS * DAY_MS]),
    ...(mayChat && urgentSince !== null ? [urgentSince + URGENT_REVIEW_MS] : []),
  ]
  return {
    id,
    nickName,
    status,
    kinds,
    reports: reports.length,
    reporters: new Set(reports.map(({ reporter }) => reporter)).size,
    findings: findings.count,
    weight: Math.round((weight + findings.count) * 100) / 100,
    openedAt,
    dueAt: promised ?? (dues.length === 0 ? null : Math.min(...dues)),
  }
}

type Place = Pick<CaseSummary, 'id' | 'weight' | 'dueAt'>

function dueDay({ dueAt }: Place): number {
  return dueAt === null ? Number.MAX_SAFE_INTEGER : Math.floor(dueAt / DAY_MS)
}

/** What is due on an earlier day comes first, on one day what weighs more. A whole order: no two cases share a place. */
function inOrder(a: Place, b: Place): number {
  return dueDay(a) - dueDay(b) || b.weight - a.weight || (a.dueAt ?? 0) - (b.dueAt ?? 0) || (a.id < b.id ? -1 : 1)
}

type Page = { cases: CaseSummary[]; next: string | null }

function cursorOf({ id, weight, dueAt }: Place): string {
  return [dueAt ?? '', weight, id].join('_')
}

function placeOf(cursor: string): Place | null {
  const [due = '', weight = '', ...id] = cursor.split('_')
  const place = { id: id.join('_'), weight: Number(weight), dueAt: due === '' ? null : Number(due) }
  return place.id === '' || Number.isNaN(place.weight) || Number.isNaN(place.dueAt) ? null : place
}

/**
 * The page of the queue behind the case that `after` was made of, whether that one is still there or not: cases that come and go
 * between two pages make none of the others be seen twice or not at all. Null for a cursor that is none.
 */
export function pageOf(
  cases: readonly CaseSummary[],
  after: string | undefined,
  size: number = PAGE_SIZE,
): Page | null {
  const place = after === undefined ? null : placeOf(after)
  if (after !== undefined && !place) return null
  const behind = cases.filter((one) => !place || (one.id !== place.id && inOrder(place, one) < 0)).sort(inOrder)
  const page = behind.slice(0, size)
  const last = page.at(-1)
  return { cases: page, next: last && behind.length > size ? cursorOf(last) : null }
}
