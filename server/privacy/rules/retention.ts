import { DAY_MS, HOUR_MS, MINUTE_MS } from '#protocol/durations.ts'
import { RESULT_KEPT_MS } from '../../platform/rules/idempotency.ts'

/** Kinds of records that housekeeping removes from the store when they expire. */
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
  'kept-reports',
  'kept-blocks',
  'content-notices',
  'preservations',
] as const
export type KeptUntilOld = (typeof keptUntilOld)[number]

/** Kinds that other parts of the server remove, or that stay. */
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
  | 'refused-words'
  | 'repeats'

type RetentionRule = {
  /** Name of the kind in docs/retention.md. */
  what: string
  /** Retention period in milliseconds; null for records that stay until an event. */
  keptMs: number | null
  /** That event, if it is not the deletion of the account. */
  until?: string
  /** Start of the period. */
  from: string
  why: string
}

/** A year from the report, as 18 U.S.C. 2258A(h)(1) asks since the REPORT Act (Public Law 118-59) of 2024; a leap year's length. */
export const PRESERVED_MS = 366 * DAY_MS

/** The retention period of every kind of personal data; a test compares it with the table in docs/retention.md. */
export const retention = {
  'log-entries': {
    what: 'Log entries of browsers',
    keptMs: 30 * DAY_MS,
    from: 'arrival',
    why: 'a fault is investigated within weeks',
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
    what: 'Ended matches: accounts, times, connected or not',
    keptMs: 30 * DAY_MS,
    from: 'the end of the match',
    why: 'a report about a call is judged with its length',
  },
  'refresh-tokens': {
    what: 'Digests of refresh tokens, with digests of network and device of their use that only the token can be compared with',
    keptMs: 0,
    from: 'their expiry',
    why: 'an expired login has no use',
  },
  'unentered-login-sessions': {
    what: 'Login sessions that were never entered',
    keptMs: DAY_MS,
    from: 'the first visit',
    why: 'a browser enters its login session within seconds; the rest are machines',
  },
  'anonymous-login-sessions': {
    what: 'Login sessions without a sign-in',
    keptMs: 30 * DAY_MS,
    from: 'the first visit',
    why: 'a visitor who has not come back by then gets a new one',
  },
  'old-login-sessions': {
    what: 'Login sessions with a sign-in',
    keptMs: 90 * DAY_MS,
    from: 'the last sign-in or visit with it',
    why: 'enough to see which devices used an account lately; one with a valid login stays',
  },
  'ip-details': {
    what: 'Locations of login sessions: city and country',
    keptMs: 30 * DAY_MS,
    from: 'the last sign-in or visit with the login session',
    why: 'a location helps against abuse only while it is recent',
  },
  meetings: {
    what: 'Who met whom',
    keptMs: 365 * DAY_MS,
    from: 'the last meeting',
    why: 'after a year two people may meet as strangers again',
  },
  blocks: {
    what: 'Who blocked or reported whom',
    keptMs: null,
    from: '',
    why: 'these pairs never meet again',
  },
  reports: {
    what: 'Reports without a decision, with the reason and words of the reporter',
    keptMs: 180 * DAY_MS,
    from: 'the report, never less than `REPORT_WINDOW_DAYS`, nor while a warning or a case of the person lasts',
    why: 'repeated behaviour shows over months; an open case needs its reports',
  },
  'decided-reports': {
    what: 'Reports that a moderator has decided, with the reason and words of the reporter',
    keptMs: 365 * DAY_MS,
    from: 'the decision, never less than a warning or a case of the person lasts',
    why: 'the weight of a report depends on the decisions on earlier ones of the reporter',
  },
  findings: {
    what: 'Findings of the classifier',
    keptMs: 180 * DAY_MS,
    from: 'the finding, never less than `FLAG_WINDOW_HOURS`, nor while a warning or a case of the person lasts',
    why: 'as of reports',
  },
  emails: {
    what: 'Emails that wait to be sent',
    keptMs: 7 * DAY_MS,
    from: 'the decision that they report',
    why: 'a mail server is retried for three days; an older email is out of date',
  },
  evidence: {
    what: 'Pictures kept as evidence, encrypted',
    keptMs: 30 * DAY_MS,
    from: 'arrival, if no decision deletes them before',
    why: 'a review ends within 10 days, an appeal against it within 10 more',
  },
  'frame-signals': {
    what: 'Statistics of the camera frames of a stay on the dashboard',
    keptMs: 30 * DAY_MS,
    from: 'the end of the stay',
    why: 'as of the metadata of frames',
  },
  'risk-signals': {
    what: 'Keyed digests of networks and devices of people',
    keptMs: 90 * DAY_MS,
    from: 'the last sign-in with it, or as `RISK_SIGNAL_DAYS` says',
    why: 'enough to compare with who was blocked, reporters with each other, and people who choose one interest',
  },
  'banned-signals': {
    what: 'Keyed digests of networks and devices of blocked people, without the person',
    keptMs: 90 * DAY_MS,
    from: 'the block, or as `RISK_SIGNAL_DAYS` says',
    why: 'a blocked person who comes back does so soon',
  },
  bans: {
    what: 'Keyed digests of people who were blocked and of their e-mail addresses, without the person',
    keptMs: null,
    until: 'until a moderator restores the person',
    from: '',
    why: 'deleting an account must not lift a block',
  },
  'kept-cases': {
    what: 'Open cases of people who deleted their account: a keyed digest, status, rule, end, numbers of reports and findings',
    keptMs: 0,
    from: 'the end of the status, or 10 days after the deletion where reports or findings were open; a decision deletes it before',
    why: 'deleting an account must not lift a suspension or end a review',
  },
  'kept-reports': {
    what: 'Reports of deleted accounts without a decision or found wrong, and those about deleted accounts found wrong: a keyed digest of the reporter, reason, times, outcome',
    keptMs: 365 * DAY_MS,
    from: 'the decision, or the report where there is none; a decision that finds it right deletes it before',
    why: 'deleting an account must not wash away that reports were wrong',
  },
  'kept-blocks': {
    what: 'Who blocked or reported whom, where one account is deleted: keyed digests of the two',
    keptMs: 365 * DAY_MS,
    from: 'the latest deletion of the two, never less than the account of the person who blocked',
    why: 'deleting an account must not bring two people together again of whom one wanted never to meet the other',
  },
  'case-notices': {
    what: 'How a case ended',
    keptMs: null,
    until: 'until the person has seen it',
    from: '',
    why: 'the person must see it once',
  },
  'status-history': {
    what: 'Status history: who, which rule, why, from when until when',
    keptMs: null,
    from: '',
    why: 'an appeal needs the reason of the status',
  },
  'moderation-decisions': {
    what: 'Decisions of moderators as statistics, without the person',
    keptMs: 365 * DAY_MS,
    from: 'the decision',
    why: 'the statistics of the console look back a year at most',
  },
  'moderation-audit': {
    what: 'Actions and views of moderators; people by an id that is meaningless once the account is deleted',
    keptMs: 730 * DAY_MS,
    from: 'the action',
    why: 'misuse of the console may come to light late',
  },
  'content-notices': {
    what: 'Notices of people without an account: e-mail address, signature, time, description, link, answer',
    keptMs: 180 * DAY_MS,
    from: 'the answer; the person can delete it at any time before',
    why: 'somebody may complain about the answer for half a year',
  },
  preservations: {
    what: 'Preserved cases of apparent child abuse, encrypted: accounts, logins, reports, calls, pictures; receipt number, moderators, authority',
    keptMs: PRESERVED_MS,
    from: 'the entry that it was sent to an authority; before that its confirmation, else its opening',
    why: 'United States Code, title 18, section 2258A(h): a provider keeps what it reported for a year',
  },
  'deletion-requests': {
    what: 'Records of deletions, without the person',
    keptMs: 365 * DAY_MS,
    from: 'the end of the request',
    why: 'the confirmation code must have a state, and the deletion a proof',
  },
  'erased-accounts': {
    what: 'Ids of deleted accounts, in records that a legal hold on others keeps',
    keptMs: 0,
    from: 'the end of the hold',
    why: 'held records must stay complete; nothing else of the person is left',
  },
  accounts: {
    what: 'Account, profile, languages and interests, consent',
    keptMs: null,
    from: '',
    why: 'they are what the account consists of',
  },
  'refused-words': {
    what: 'Words that moderators refuse, with the name of the moderator',
    keptMs: null,
    until: 'until a moderator allows the word again',
    from: '',
    why: 'a refused word stays refused',
  },
  repeats: {
    what: 'Responses of requests that may be repeated',
    keptMs: RESULT_KEPT_MS,
    from: 'the response',
    why: 'a repeat follows within seconds',
  },
} as const satisfies Record<KeptUntilOld | KeptElsewhere, RetentionRule>

/** Returns the period as the table in docs/retention.md states it, in days or minutes. */
export function periodText({ keptMs, until = 'until the account is deleted' }: RetentionRule): string {
  if (keptMs === null) return until
  if (keptMs === 0) return '0 days'
  if (keptMs < HOUR_MS) return `${keptMs / MINUTE_MS} minutes`
  return keptMs === DAY_MS ? '1 day' : `${keptMs / DAY_MS} days`
}

/** By kind, how far back in milliseconds the moderation policy counts records. */
export type CountedMs = Partial<Record<KeptUntilOld, number>>

/** Returns the time before which records of this kind have expired. */
export function expiredBefore(kind: KeptUntilOld, now: number, counted: CountedMs): number {
  return now - Math.max(retention[kind].keptMs, counted[kind] ?? 0)
}
