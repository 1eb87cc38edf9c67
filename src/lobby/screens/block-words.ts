import type { BlockStatus } from '#protocol/block-status.ts'
import type { BlockCase, Cause } from '#protocol/moderation.ts'
import type { TextKey } from '../../platform/texts/catalogue.ts'

export type RestrictedStatus = Exclude<BlockStatus, 'Valid'>

type Words = { title: PanelKey; other: PanelKey } & Partial<Record<Cause, PanelKey>>
type PanelKey = Extract<TextKey, `dashboard.${'warning' | 'appeal' | 'review' | 'blocked'}.${string}`>

/** Texts of each status by its cause. For other causes the text `other` is used, which names no cause. */
const words = {
  Warning: {
    title: 'dashboard.warning.title',
    reports: 'dashboard.warning.text',
    frames: 'dashboard.warning.frames',
    moderator: 'dashboard.warning.moderator',
    'review-late': 'dashboard.warning.late',
    other: 'dashboard.warning.other',
  },
  Appeal: {
    title: 'dashboard.appeal.title',
    reports: 'dashboard.appeal.text',
    frames: 'dashboard.appeal.frames',
    moderator: 'dashboard.appeal.moderator',
    other: 'dashboard.appeal.other',
  },
  InReview: {
    title: 'dashboard.review.title',
    reports: 'dashboard.review.text',
    frames: 'dashboard.review.frames',
    moderator: 'dashboard.review.moderator',
    other: 'dashboard.review.other',
  },
  Blocked: {
    title: 'dashboard.blocked.title',
    reports: 'dashboard.blocked.text',
    age: 'dashboard.blocked.age',
    'earlier-ban': 'dashboard.blocked.earlier-ban',
    moderator: 'dashboard.blocked.moderator',
    other: 'dashboard.blocked.other',
  },
} as const satisfies Record<RestrictedStatus, Words>

/** Returns title and text of a restriction. If the server sends no case, the cause counts as reports. */
export function blockWords(status: RestrictedStatus, what: Cause | null) {
  const { title, other, ...texts }: Words = words[status]
  return { title, text: texts[what ?? 'reports'] ?? other }
}

/** Returns the facts of a case: what happened, who decided, by which rule, and what comes next. */
export function caseWords({ what, rule, next }: Pick<BlockCase, 'what' | 'rule' | 'next'>) {
  const isUnnamed = what === 'reports' && rule === 'guidelines'
  return [
    ['cases.what', `cases.cause.${what}`],
    ['cases.who', `cases.who.${what}`],
    ['cases.rule', `cases.rule.${isUnnamed ? 'reported' : rule}`],
    ['cases.next', `cases.next.${next}`],
  ] as const
}
