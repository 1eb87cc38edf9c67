import type { CandidatePair } from '#protocol/call-counts.ts'

/** One sample of a peer connection's statistics. Counters start with the call. Null: the browser does not report it. */
export type CallSample = {
  /** Milliseconds of `performance.now()`. */
  at: number
  framesDecoded: number
  framesDropped: number
  /** Freezes of the peer's picture, as the browser counts them. */
  freezes: number | null
  /** Seconds that decoding and encoding took. */
  decodeSeconds: number
  encodeSeconds: number
  audioPacketsReceived: number
  /** Lost packets of the sound. A lost packet whose retransmission arrived does not count. */
  audioPacketsLost: number
  /** Samples of sound that were played; `concealedSamples` of them were made up for missing packets. */
  soundSamples: number
  concealedSamples: number
  /** Packets of the picture. */
  packetsReceived: number
  packetsLost: number
  /** Share of this side's packets that the peer reports as lost. */
  remoteLoss: number | null
  roundTripMs: number | null
  availableKbps: number | null
  bytesSent: number
  bytesReceived: number
  /** Bytes in both directions, with IP and UDP headers. If not all are counted, of sound and picture. */
  bytesOnWire: number
  framesEncoded: number
  limitedBy: 'none' | 'cpu' | 'bandwidth' | 'other'
  /** The camera's shorter side in pixels; 0 if unknown. */
  capturedSide: number
  sentHeight: number
  /** The shorter side of the sent picture; 0 if unknown. */
  sentSide: number
  receivedHeight: number
  codec: string
  /** True if media goes through a TURN relay of this side. */
  isRelayed: boolean
  /** The candidate pair in use; null if the browser does not name it. A relay in the pair may be the peer's. */
  pair: CandidatePair | null
  /** True if media goes over TCP and no ICE server responded over UDP, although one has a UDP address. */
  isUdpBlocked: boolean
}

/** Between two samples: whether the page was hidden, the time in long tasks, and the ceiling of what is sent. */
export type Conditions = { hidden: boolean; longTaskMs: number; ceilingKbps: number | null }

/** The difference of two successive samples. Shares are from 0 to 1. */
export type Reading = {
  /** Share of lost packets: `outLoss` of those that this side sent, `inLoss` of those that the peer sent. */
  outLoss: number
  inLoss: number
  roundTripMs: number
  /** The part of the round trip that is queueing delay. */
  queueMs: number
  /**
   * `busy`: share of the time in long tasks of the page's thread. `coding`: share of the time that the slower of
   * encoder and decoder took.
   */
  busy: number
  coding: number
  /** Share of the peer's frames that arrived but were not shown. */
  dropped: number
  /**
   * The browser's estimate of the outgoing bandwidth. Null without an estimate, while much less is sent than the
   * estimate allows, and while the estimate is at the ceiling.
   */
  roomKbps: number | null
  limitedBy: CallSample['limitedBy']
}

/** Values from which on a reading counts as fair or as bad. */
export const LOSS_FAIR = 0.03
export const LOSS_BAD = 0.1
export const ROUND_TRIP_FAIR_MS = 300
export const ROUND_TRIP_BAD_MS = 600
export const QUEUE_FAIR_MS = 150
export const QUEUE_BAD_MS = 400
/** Bandwidth estimate below which there is room only for a poor picture. */
export const TIGHT_KBPS = 220

/** Kept from reading to reading: the recent send rate, and the shortest round trip, which is free of queueing. */
export type Path = { sentKbps: number | null; roundTripMs: number | null }

/** The names of the numbers that are never null. */
export type Counter = {
  [K in keyof CallSample]: CallSample[K] extends number ? K : never
}[keyof CallSample]

/**
 * The browser's estimate follows the send rate. Only if more than this share of the estimate is sent does the estimate tell the bandwidth.
 */
const PRESSED = 0.6
/** Share of the ceiling above which the estimate only measures the ceiling. */
const AT_CEILING = 0.9
const SENT_DRIFT = 0.3
/**
 * Share of the difference by which the shortest round trip approaches a longer one in each reading, since the path may have become longer.
 */
const PATH_DRIFT = 0.02
/** Fewest frames in a reading with which `dropped` is computed. */
const FRAMES_MIN = 5

const SECOND_MS = 1_000
const BITS = 8

export function readBetween(before: CallSample, now: CallSample, conditions: Conditions, known: Path): [Reading, Path] {
  const elapsedMs = Math.max(1, now.at - before.at)
  const grown = (name: Counter) => Math.max(0, now[name] - before[name])
  const path: Path = {
    sentKbps: towards(known.sentKbps, (grown('bytesSent') * BITS) / elapsedMs, SENT_DRIFT),
    roundTripMs: shortest(known.roundTripMs, now.roundTripMs),
  }
  const available = now.availableKbps ?? 0
  const isPressed = now.limitedBy === 'bandwidth' || (path.sentKbps ?? 0) > available * PRESSED
  const isAtCeiling = available > (conditions.ceilingKbps ?? Number.POSITIVE_INFINITY) * AT_CEILING
  const frames = grown('framesDropped') + grown('framesDecoded')
  const coding = Math.max(grown('decodeSeconds'), grown('encodeSeconds'))
  const lost = grown('packetsLost')
  const audioLost = grown('audioPacketsLost')
  const hasPicture = lost + grown('packetsReceived') > 0
  const inLoss = hasPicture
    ? share(lost, lost + grown('packetsReceived'))
    : share(audioLost, audioLost + grown('audioPacketsReceived'))
  const reading: Reading = {
    outLoss: now.remoteLoss ?? 0,
    inLoss,
    roundTripMs: now.roundTripMs ?? 0,
    queueMs: (now.roundTripMs ?? 0) - (path.roundTripMs ?? 0),
    busy: conditions.longTaskMs / elapsedMs,
    coding: (coding * SECOND_MS) / elapsedMs,
    dropped: frames < FRAMES_MIN ? 0 : share(grown('framesDropped'), frames),
    roomKbps: isPressed && !isAtCeiling ? now.availableKbps : null,
    limitedBy: now.limitedBy,
  }
  return [reading, path]
}

function towards(from: number | null, to: number, by: number): number {
  return from === null ? to : from + (to - from) * by
}

function shortest(known: number | null, now: number | null): number | null {
  if (now === null) return known
  return known === null || now < known ? now : towards(known, now, PATH_DRIFT)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
