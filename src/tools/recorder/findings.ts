import type { Alive } from './alive.ts'
import type { Place } from './limited.ts'

/** A kind is what is recorded: `measured` and `limit` are of the unit that `limits` says. */
type FindingKind = keyof typeof limits
export type Finding = { kind: FindingKind; where: string; count: number; measured: number; limit: number }

/** The kinds that are recorded by place as they happen. */
type PlaceKind = Exclude<FindingKind, 'leaked-track' | 'leaked-connection'>
export type Places = Readonly<Record<PlaceKind, readonly Place[]>>

/** What findings are made from. `screenMs` is how long the present screen has been open. */
export type Measured = { places: Places; alive: Alive; screenMs: number }

/**
 * `most` is the highest value that is no fault, `least` the number of times from which it is a finding: what a busy machine does once
 * or twice is none. The order is that of the page.
 */
export const limits = {
  /** ms a request computes before its first wait. A delay of 100 ms is felt, and all other requests to the worker wait as long. */
  'worker-task': { most: 100, least: 3 },
  /** ms; the shortest time after which the hub client gives an invocation up is 15 s. */
  'lost-message': { most: 14_900, least: 1 },
  /** ms from the first request for a screen's code until it can be shown; twice what 100 KB need at the 1.6 Mbit/s of a slow phone. */
  'late-chunk': { most: 2_000, least: 1 },
  /** Live tracks, peer connections: nobody is in a call on the page that shows this. */
  'leaked-track': { most: 0, least: 1 },
  'leaked-connection': { most: 0, least: 1 },
  /** Equal listeners on one target; a screen that closes may leave its own until the next one is shown. */
  'leaked-listener': { most: 2, least: 1 },
  /** ms from the start of gathering to the first relay candidate: five round trips of 300 ms, which are a long way. */
  'slow-relay': { most: 1_500, least: 1 },
  /** Connections that go over TCP although servers over UDP were offered, of which none answered. */
  'blocked-udp': { most: 0, least: 1 },
  /** ms that a request waits while the worker computes nothing; a request that takes a second is a slow one in joined-stacks.ts too. */
  'stuck-queue': { most: 1_000, least: 3 },
  /** ms that the page waits for the provider, not for the user. */
  'slow-provider': { most: 1_000, least: 1 },
} as const satisfies Record<string, { most: number; least: number }>

/** Closing a peer connection takes up to 3.6 s; what a screen leaves is judged after this time. */
export const CLOSING_MS = 5_000

/** Pure. Returns what is over its limit, the worst places of a kind first. */
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
