import type { Alive } from './alive.ts'
import type { Place } from './limited.ts'

/** `measured` and `limit` have the unit that is given in `limits`. */
type FindingKind = keyof typeof limits
export type Finding = { kind: FindingKind; where: string; count: number; measured: number; limit: number }

/** Kinds that are recorded by place when they occur. The other kinds are counted when the report is read. */
type PlaceKind = Exclude<FindingKind, 'leaked-track' | 'leaked-connection'>
export type Places = Readonly<Record<PlaceKind, readonly Place[]>>

/** The data from which findings are made. `screenMs`: time for which the current screen has been open. */
export type Measured = { places: Places; alive: Alive; screenMs: number }

/**
 * `most`: highest value that is no fault. `least`: number of higher values from which on there is a finding, since a
 * busy machine is slow once or twice. The page shows findings in this order.
 */
export const limits = {
  /**
   * ms that a request computes before it first waits. People notice a delay of 100 ms, and all other requests to the
   * worker are delayed as much.
   */
  'worker-task': { most: 100, least: 3 },
  /** ms until the hub client gives up an invocation. It does so after 15 s or more. */
  'lost-message': { most: 14_900, least: 1 },
  /** ms from the first request for a screen's code until it is loaded: twice that of 100 KB at 1.6 Mbit/s. */
  'late-chunk': { most: 2_000, least: 1 },
  /** Number of live tracks, and of open peer connections. There is no call on the page that shows findings. */
  'leaked-track': { most: 0, least: 1 },
  'leaked-connection': { most: 0, least: 1 },
  /** Number of equal listeners on a target. A screen may keep its listeners until the next screen is shown. */
  'leaked-listener': { most: 2, least: 1 },
  /** ms from the start of gathering to the first relay candidate: five round trips of 300 ms to another continent. */
  'slow-relay': { most: 1_500, least: 1 },
  /** Number of connections over TCP although servers over UDP were offered: none of these servers answered. */
  'blocked-udp': { most: 0, least: 1 },
  /** ms that a request waits for an idle worker. joined-stacks.ts also counts a request as slow from one second on. */
  'stuck-queue': { most: 1_000, least: 3 },
  /** ms that the page waits for the provider, without the time that the user takes. */
  'slow-provider': { most: 1_000, least: 1 },
} as const satisfies Record<string, { most: number; least: number }>

/** Time after which what the last screen left open is a leak. Closing a peer connection takes up to 3.6 s. */
export const CLOSING_MS = 5_000

/** Returns the values over their limits. Within a kind the worst places come first. */
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
