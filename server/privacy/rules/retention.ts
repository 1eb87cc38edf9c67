import { DAY_MS, HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import { REPEATS_KEPT_MS } from '../../platform/rules/idempotency.ts'

/** Kinds of records that a regular job removes from the store once they are old. */
export const keptUntilOld = [
  'log-entries',
  'log-batches',
  'frames',
  'match-records',
  'refresh-tokens',
  'unentered-login-sessions',
  'anonymous-login-sessions',
  'old-login-sessions',
  'ip-details',
  'meetings',
  'reports',
  'decided-reports',
  'findings',
  'emails',
  'moderation-decisions',
  'moderation-audit',
  'deletion-requests',
  'erased-accounts',
  'kept-cases',
] as const
export type KeptUntilOld = (typeof keptUntilOld)[number]

/** What other parts remove, or what stays. */
type KeptElsewhere =
  | 'blocks'
  | 'evidence'
  | 'frame-signals'
  | 'risk-signals'
  | 'banned-signals'
  | 'bans'
  | 'case-notices'
  | 'status-history'
  | 'accounts'
  | 'repeats'

type RetentionRule = {
  /** What it is, in the words of docs/operations.md. */
  what: string
  /** In milliseconds; null for what stays until something else happens. */
  keptMs: number | null
  /** What that is, where it is not the end of the person's account. */
  until?: string
  /** The moment from which the time runs. */
  from: string
  why: string
}

/** How long everything is kept that says something about a person; the table in docs/operations.md says the same. */
export const retention = {
  'log-entries': {
    what: 'Log entries of browsers',
    keptMs: 30 * DAY_MS,
    from: 'arrival',
    why: 'a fault is looked into within weeks of being noticed',
  },
  'log-batches': {
    what: 'Keys of log batches',
    keptMs: DAY_MS,
    from: 'arrival',
    why: 'a browser sends a batch again within hours',
  },
  frames: {
    what: 'Metadata of camera frames',
    keptMs: 30 * DAY_MS,
    from: 'arrival',
    why: 'gaps between frames are judged together with reports of one window',
  },
  'match-records': {
    what: 'Ended calls: who, when, connected or not',
    keptMs: 30 * DAY_MS,
    from: 'the end of the call',
    why: 'a report about a call is judged with its length',
  },
  'refresh-tokens': {
    what: 'Digests of refresh tokens',
    keptMs: 0,
    from: 'their expiry',
    why: 'an expired login is of no use to anybody',
  },
  'unentered-login-sessions': {
    what: 'Sessions that were never entered',
    keptMs: DAY_MS,
    from: 'the first visit',
    why: 'a browser enters its session within seconds; the rest are machines',
  },
  'anonymous-login-sessions': {
    what: 'Sessions nobody signed in with',
    keptMs: 30 * DAY_MS,
    from: 'the first visit',
    why: 'a visitor who has not come back by then gets a new one',
  },
  'old-login-sessions': {
    what: 'Sessions of people who signed in',
    keptMs: 90 * DAY_MS,
    from: 'the last sign-in or visit with it',
    why: 'enough to see which devices used an account lately; one with a live login stays',
  },
  'ip-details': {
    what: 'Places of sessions: city and country',
    keptMs: 30 * DAY_MS,
    from: 'the last sign-in or visit with the session',
    why: 'a place helps against abuse only while it is fresh',
  },
  meetings: {
    what: 'Who met whom',
    keptMs: 365 * DAY_MS,
    from: 'the last meeting',
    why: 'after a year two people may meet as strangers again',
  },
  blocks: {
    what: 'Who blocked whom',
    keptMs: null,
    from: '',
    why: 'blocked pairs never meet again',
  },
  reports: {
    what: 'Reports that nobody has decided',
    keptMs: 180 * DAY_MS,
    from: 'the report, never less than `REPORT_WINDOW_DAYS`, nor while a warning or a case of the person lasts',
    why: 'repeated behaviour shows over months; an open case needs its reports',
  },
  'decided-reports': {
    what: 'Reports that a moderator has decided',
    keptMs: 365 * DAY_MS,
    from: 'the decision, never less than a warning or a case of the person lasts',
    why: 'how far somebody can be trusted with reports shows in what became of earlier ones',
  },
  findings: {
    what: 'Findings of the classifier',
    keptMs: 180 * DAY_MS,
    from: 'the finding, never less than `FLAG_WINDOW_HOURS`, nor while a warning or a case of the person lasts',
    why: 'as of reports',
  },
  emails: {
    what: 'Letters that wait to be sent',
    keptMs: 7 * DAY_MS,
    from: 'the decision that they tell of',
    why: 'a mail server is tried for three days; what is older is no news',
  },
  evidence: {
    what: 'Pictures kept as evidence, encrypted',
    keptMs: 30 * DAY_MS,
    from: 'arrival, if no decision deletes them before',
    why: 'a review ends within 10 days, an appeal against it within 10 more',
  },
  'frame-signals': {
    what: 'How the pictures of a stay on the dashboard came',
    keptMs: 30 * DAY_MS,
    from: 'the end of the stay',
    why: 'as of the metadata of frames',
  },
  'risk-signals': {
    what: 'Keyed digests of networks and devices of people',
    keptMs: 90 * DAY_MS,
    from: 'the last sign-in with it, or as `RISK_SIGNAL_DAYS` says',
    why: 'enough to compare with who was blocked, and reporters with each other',
  },
  'banned-signals': {
    what: 'The same of people who were blocked, without the person',
    keptMs: 90 * DAY_MS,
    from: 'the block, or as `RISK_SIGNAL_DAYS` says',
    why: 'who comes back does so soon',
  },
  bans: {
    what: 'Keyed digests of people who were blocked, without the person',
    keptMs: null,
    until: 'until a moderator restores the person',
    from: '',
    why: 'deleting an account is no way round a block',
  },
  'kept-cases': {
    what: 'Open cases of people who deleted their account: a keyed digest, status, rule, end, numbers of reports and findings',
    keptMs: 0,
    from: 'the end of the status, or 10 days after the deletion where reports or findings were open; a decision deletes it before',
    why: 'deleting an account is no way round a suspension or a review',
  },
  'case-notices': {
    what: 'How a case ended',
    keptMs: null,
    until: 'until the person has seen it',
    from: '',
    why: 'it is there to be told',
  },
  'status-history': {
    what: 'Status history: who, which rule, why, from when until when',
    keptMs: null,
    from: '',
    why: 'a status that nobody can explain cannot be appealed',
  },
  'moderation-decisions': {
    what: 'Decisions of moderators as statistics, without the person',
    keptMs: 365 * DAY_MS,
    from: 'the decision',
    why: 'the statistics of the console look back a year at most',
  },
  'moderation-audit': {
    what: 'What moderators did and looked at; people by an id that is nobody’s once the account is gone',
    keptMs: 730 * DAY_MS,
    from: 'the act',
    why: 'misuse of the console may come to light late',
  },
  'deletion-requests': {
    what: 'Records of deletions, without the person',
    keptMs: 365 * DAY_MS,
    from: 'the end of the request',
    why: 'the confirmation code must have an answer, and the promise a proof',
  },
  'erased-accounts': {
    what: 'Ids of people who are gone, in what a legal hold keeps of others',
    keptMs: 0,
    from: 'the end of the hold',
    why: 'what is held must stay whole; nothing else of the person is left',
  },
  accounts: {
    what: 'Account, profile and consent',
    keptMs: null,
    from: '',
    why: 'they are what the account consists of',
  },
  repeats: {
    what: 'Answers of calls that may be repeated',
    keptMs: REPEATS_KEPT_MS,
    from: 'the answer',
    why: 'a repeat follows within seconds',
  },
} as const satisfies Record<KeptUntilOld | KeptElsewhere, RetentionRule>

/** In days or minutes, as the table writes it. */
export function periodText({ keptMs, until = 'until the account is deleted' }: RetentionRule): string {
  if (keptMs === null) return until
  if (keptMs === 0) return 'not at all'
  if (keptMs < HOUR_MS) return `${keptMs / MINUTE_MS} minutes`
  return keptMs === DAY_MS ? '1 day' : `${keptMs / DAY_MS} days`
}

/** In milliseconds, by kind: what the moderation policy counts must be there. */
export type CountedMs = Partial<Record<KeptUntilOld, number>>

/** Records of this kind from before this moment go. */
export function expiredBefore(kind: KeptUntilOld, now: number, counted: CountedMs): number {
  return now - Math.max(retention[kind].keptMs, counted[kind] ?? 0)
}
