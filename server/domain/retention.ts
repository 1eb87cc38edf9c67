const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Kinds of records that a regular job removes from the store once they are old. */
export const keptUntilOld = [
  'log-entries',
  'log-batches',
  'frames',
  'live-sessions',
  'refresh-tokens',
  'unentered-sessions',
  'anonymous-sessions',
  'old-sessions',
  'ip-details',
  'meetings',
  'reports',
  'deletion-requests',
] as const
export type KeptUntilOld = (typeof keptUntilOld)[number]

type RetentionRule = {
  /** What it is, in the words of docs/operations.md. */
  what: string
  /** In milliseconds; null for what stays until the person's account goes. */
  keptMs: number | null
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
  'live-sessions': {
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
  'unentered-sessions': {
    what: 'Sessions that were never entered',
    keptMs: DAY_MS,
    from: 'the first visit',
    why: 'a browser enters its session within seconds; the rest are machines',
  },
  'anonymous-sessions': {
    what: 'Sessions nobody signed in with',
    keptMs: 30 * DAY_MS,
    from: 'the first visit',
    why: 'a visitor who has not come back by then gets a new one',
  },
  'old-sessions': {
    what: 'Sessions of people who signed in',
    keptMs: 90 * DAY_MS,
    from: 'the last sign-in or visit with it',
    why: 'enough to see which devices used an account lately; one with a live login stays',
  },
  'ip-details': {
    what: 'IP details of sessions',
    keptMs: 30 * DAY_MS,
    from: 'the last sign-in or visit with the session',
    why: 'an address helps against abuse only while it is fresh',
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
    what: 'Reports, where no case about the person is open',
    keptMs: 180 * DAY_MS,
    from: 'the report, never less than `REPORT_WINDOW_DAYS`',
    why: 'repeated behaviour shows over months; an open case needs its reports',
  },
  evidence: {
    what: 'Flagged frames kept for a review',
    keptMs: 30 * DAY_MS,
    from: 'arrival, if no decision deletes them before',
    why: 'a review ends within 10 days, an appeal against it within 10 more',
  },
  'deletion-requests': {
    what: 'Records of deletions, without the person',
    keptMs: 365 * DAY_MS,
    from: 'the end of the request',
    why: 'the confirmation code must have an answer, and the promise a proof',
  },
  accounts: {
    what: 'Account, profile, consent and status history',
    keptMs: null,
    from: '',
    why: 'they are what the account consists of',
  },
  repeats: {
    what: 'Answers of calls that may be repeated (memory only)',
    keptMs: 5 * MINUTE_MS,
    from: 'the answer',
    why: 'a repeat follows within seconds',
  },
} as const satisfies Record<KeptUntilOld | 'blocks' | 'accounts' | 'evidence' | 'repeats', RetentionRule>

/** In days or minutes, as the table writes it. */
export function periodText({ keptMs }: RetentionRule): string {
  if (keptMs === null) return 'until the account is deleted'
  if (keptMs === 0) return 'not at all'
  if (keptMs < HOUR_MS) return `${keptMs / MINUTE_MS} minutes`
  return keptMs === DAY_MS ? '1 day' : `${keptMs / DAY_MS} days`
}

/** Records of this kind from before this moment go. Reports stay as long as the moderation policy counts them. */
export function expiredBefore(kind: KeptUntilOld, now: number, reportWindowDays: number): number {
  const { keptMs } = retention[kind]
  return now - (kind === 'reports' ? Math.max(keptMs, reportWindowDays * DAY_MS) : keptMs)
}
