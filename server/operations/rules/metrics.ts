import type { CandidatePair, ConnectionOutcome, CurtainCounts, Experience } from '#protocol/call-counts.ts'
import type { ErrorCode } from '#protocol/errors.ts'
import type { HubEvent } from '#protocol/hub.ts'
import type { PriorityReason } from '#protocol/reports.ts'
import type { RegionCounts } from '../../matching/rules/match-queue.ts'

/** Outcome of a match: both sides connected, the match timed out, or a user left before. */
type MatchOutcome = 'connected' | 'timed-out' | 'left'

/** A user of a match that is over. `origin` has the network as a digest; `wasApart`: the user waited apart for the match. */
export type SettledPerson = { accountId: string; origin: { network: string } | null; wasApart: boolean }

/** The part of the queue: `apart` for users whose matches fail by their side, `ordinary` for all other users. */
type QueuePart = 'ordinary' | 'apart'

/** One user of a match: the region, and the time in the queue. */
type MatchedUser = { region: string; waitedMs: number }

/** How a user resumed: a new socket for the same connection, or a new connection of the same page. */
type ResumeKind = 'socket' | 'connection'

/** What was refused: a request to the API (the published label is `call`), a socket of the hub, or an invocation. */
type RefusedAt = 'call' | 'socket' | 'invocation'

/** The metrics of the running service, without personal data. Times are in milliseconds. */
export interface Metrics {
  matchMade(one: MatchedUser, other: MatchedUser): void
  /** `people` are the users of the match that the outcome is counted for. */
  matchSettled(outcome: MatchOutcome, people: readonly SettledPerson[]): void
  /** A user has joined the queue. */
  searchBegan(part: QueuePart): void
  /** A user's connection acknowledged an event, `ms` after the hub received it. */
  relayed(event: HubEvent, ms: number): void
  resumed(kind: ResumeKind): void
  /** Counts a refusal. `accountId`, if known, is not part of the metric. */
  refused(at: RefusedAt, reason: ErrorCode | `${number}`, accountId?: string): void
  /** A browser reports the outcome of its peer connection. */
  peerConnection(outcome: ConnectionOutcome, ms: number, pair?: CandidatePair): void
  /** A browser reports what the safety curtain did in one call. A model that this version does not know counts as `other`. */
  curtain(counts: CurtainCounts): void
  /** A browser reports what its user felt of one match. `country` is a label of `CountryLabels`. */
  experience(experience: Experience, country: string): void
}

/** Returns the region label of a metric; a server without a region has none. */
export function regionLabel(region: string): { region?: string } {
  return region === '' ? {} : { region }
}

export type HubCounts = { connections: number; matches: number; queue: RegionCounts }

/** Open cases: people with an open report or finding, and the time of the oldest of these. */
export type Backlog = { people: number; since: number | null }

/** Users with an open report that moderators must decide first: before (`due`) and after (`overdue`) the promised time. */
export type PriorityCases = Record<PriorityReason, { due: number; overdue: number }>
