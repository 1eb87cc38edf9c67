import { DAY_MS } from '#protocol/durations.ts'

/**
 * Retention periods in milliseconds. docs/retention.md describes every kind of personal data, when its period begins,
 * and why. A test compares the periods here with that document.
 */

/** A year (of 366 days) from the report: 18 U.S.C. 2258A(h)(1), since the REPORT Act (Public Law 118-59) of 2024. */
export const PRESERVED_MS = 366 * DAY_MS

/** The kinds of records that housekeeping removes, in this order. */
export const keptMs = {
  'log-entries': 30 * DAY_MS,
  'log-batches': DAY_MS,
  frames: 30 * DAY_MS,
  'match-records': 30 * DAY_MS,
  'refresh-tokens': 0,
  'unentered-login-sessions': DAY_MS,
  'anonymous-login-sessions': 30 * DAY_MS,
  'old-login-sessions': 90 * DAY_MS,
  'ip-details': 30 * DAY_MS,
  meetings: 365 * DAY_MS,
  reports: 180 * DAY_MS,
  'decided-reports': 365 * DAY_MS,
  findings: 180 * DAY_MS,
  emails: 7 * DAY_MS,
  'moderation-decisions': 365 * DAY_MS,
  'moderation-audit': 730 * DAY_MS,
  'deletion-requests': 365 * DAY_MS,
  'erased-accounts': 0,
  'kept-cases': 0,
  'kept-reports': 365 * DAY_MS,
  'kept-blocks': 365 * DAY_MS,
  'content-notices': 180 * DAY_MS,
  preservations: PRESERVED_MS,
}
export type KeptUntilOld = keyof typeof keptMs
export const keptUntilOld = Object.keys(keptMs) as KeptUntilOld[]

/** Kinds whose records other features remove for housekeeping. `what` is the name of the kind in the log. */
export const keptByFeatures = {
  evidence: { what: 'Pictures kept as evidence, encrypted', keptMs: 30 * DAY_MS },
  'frame-signals': { what: 'Statistics of the camera frames of a stay on the dashboard', keptMs: 30 * DAY_MS },
}

/** By kind, how far back in milliseconds the moderation policy counts records. */
export type CountedMs = Partial<Record<KeptUntilOld, number>>

/** Returns the time before which records of this kind have expired. */
export function expiredBefore(kind: KeptUntilOld, now: number, counted: CountedMs): number {
  return now - Math.max(keptMs[kind], counted[kind] ?? 0)
}
