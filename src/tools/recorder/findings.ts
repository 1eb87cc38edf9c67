import type { Alive } from './alive.ts'
import type { Place } from './limited.ts'

/** `measured` and `limit` have the unit that `limits` says. */
type FindingKind = keyof typeof limits
export type Finding = { kind: FindingKind; where: string; count: number; measured: number; limit: number }

/** The kinds that are recorded by place when they happen; the other kinds are counted when the report is read. */
type PlaceKind = Exclude<FindingKind, 'leaked-track' | 'leaked-connection'>
export type Places = Readonly<Record<PlaceKind, readonly Place[]>>

/** What findings are made from. `screenMs` is how long the present screen has been open. */
export type Measured = { places: Places; alive: Alive; screenMs: number }

/**
 * `most` is the highest value that is no fault. `least` is how often a higher value must occur to be a finding, because a busy machine
 * is slow once or twice. The page shows findings in this order.
 */
export const limits = {
  /** ms that a request computes before its first wait. People feel a delay of 100 ms, and all other requests to the worker wait as long. */
  'worker-task': { most: 100, least: 3 },
  /** ms until the hub client gives up an invocation, which it does after 15 s or more. */
  'lost-message': { most: 14_900, least: 1 },
  /** ms from the first request for a screen's code until it can be shown; twice the time of 100 KB on a slow phone (1.6 Mbit/s). */
  'late-chunk': { most: 2_000, least: 1 },
  /** Number of live tracks, number of open peer connections. On the page that shows them there is no call. */
  'leaked-track': { most: 0, least: 1 },
  'leaked-connection': { most: 0, least: 1 },
  /** Number of equal listeners on a target. A screen that closes may keep its listeners until the next screen is shown. */
  'leaked-listener': { most: 2, least: 1 },
  /** ms from the start of gathering to the first relay candidate: five round trips of 300 ms, as to another continent. */
  'slow-relay': { most: 1_500, least: 1 },
  /** Number of connections over TCP, where servers over UDP were offered and none of them answered. */
  'blocked-udp': { most: 0, least: 1 },
  /** ms that a request waits for an idle worker. In joined-stacks.ts, too, a request is slow after a second. */
  'stuck-queue': { most: 1_000, least: 3 },
  /** ms that the page waits for the provider; the time that the user takes is not counted. */
  'slow-provider': { most: 1_000, least: 1 },
} as const satisfies Record<string, { most: number; least: number }>

/** Time after which what the last screen left open is a leak: closing a peer connection takes up to 3.6 s. */
export const CLOSING_MS = 5_000

/** Returns what is over its limit, the worst places of a kind first. */
export function findingsOf(measured: Measured): Finding[] {
  return (Object.keys(limits) as FindingKind[]).flatMap((kind) => {
    const { most, least } = limits[kind]
    return placesOf(kind, measured)
      .filter(({ count, worst }) => worst > most && count >= least)
      .sort((one, other) => other.worst - one.worst)
      .map(({ where, count, worst }) => ({ kind, where, count, measured: Math.round(worst), limit: most }))
  })
}

function placesOf(kind: FindingKind, { places, alive, screenMs }: Measured): readonly Place[] {
  const left = (where: string, count: number) => (screenMs < CLOSING_MS ? [] : [{ where, count, worst: count }])
  if (kind === 'leaked-track') return left('MediaStreamTrack', alive.tracks)
  if (kind === 'leaked-connection') return left('RTCPeerConnection', alive.peerConnections)
  return places[kind]
}
