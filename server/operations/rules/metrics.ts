import type { ErrorCode } from '#protocol/errors.ts'
import type { HubEvent } from '#protocol/hub.ts'
import type { ConnectionOutcome } from '#protocol/rest.ts'
import type { RegionCounts } from '../../matching/rules/match-queue.ts'

/** How a match came out: a call stood, it never did within the time of a match, or somebody left before. */
type MatchOutcome = 'connected' | 'timed-out' | 'left'

/** Somebody was told of a match, who had waited for so long in that region. */
type Matched = { region: string; waitedMs: number }

/** How somebody came back to the hub: with another socket for their connection, or another connection of their page. */
type ResumeKind = 'socket' | 'connection'

/** Where something was refused: a call of the API, a socket of the hub, an invocation over one. */
type RefusedAt = 'call' | 'socket' | 'invocation'

/** What the running service tells an operator of its work. Nothing in it names a person. Times are in milliseconds. */
export interface Metrics {
  matchMade(one: Matched, other: Matched): void
  matchSettled(outcome: MatchOutcome): void
  /** An event for somebody is known to have arrived, so long after it was given to the hub. */
  relayed(event: HubEvent, ms: number): void
  resumed(kind: ResumeKind): void
  /** `accountId` where it is known; no figure holds it. */
  refused(at: RefusedAt, reason: ErrorCode | `${number}`, accountId?: string): void
  /** What a browser says of the connection to its peer. */
  peerConnection(outcome: ConnectionOutcome, ms: number): void
}

export const noMetrics: Metrics = {
  matchMade: () => undefined,
  matchSettled: () => undefined,
  relayed: () => undefined,
  resumed: () => undefined,
  refused: () => undefined,
  peerConnection: () => undefined,
}

/** What the hub holds at a moment. */
export type HubCounts = { connections: number; matches: number; queue: RegionCounts }

/** What waits for moderators: people with an open report or finding, and since when the oldest of these waits. */
export type Backlog = { people: number; since: number | null }
