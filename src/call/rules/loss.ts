import type { Reading } from './call-reading.ts'

/**
 * What protects a call from lost packets. All of it was measured against the browser's defaults over impaired links: see
 * docs/decisions/picture-quality.md.
 */
export type LossState = {
  /** Moving averages of the share of lost packets: `out` of what this side sent, `in` of what the peer sent. */
  out: number
  in: number
  /** True from the first loss of the call on: a codec is then taken whose errors do not freeze the picture. */
  isLossy: boolean
  /** Temporal layers of the sent picture. With three, a lost packet mostly costs one frame and not all that follow. */
  layers: 1 | 3
  /** Delay of playback in milliseconds, in which lost packets are sent again; null leaves it to the browser. */
  delayMs: number | null
  /** Readings in a row for which fewer layers, or less delay, would be enough. */
  calmLayers: number
  calmDelay: number
}

export const noLoss: LossState = {
  out: 0,
  in: 0,
  isLossy: false,
  layers: 1,
  delayMs: null,
  calmLayers: 0,
  calmDelay: 0,
}

/** Weight of a new reading. */
const DRIFT = 0.2
const LOSSY = 0.02
/** With a long round trip, lost packets that are sent again come too late, so that only error correction helps. */
const FAR_MS = 400
const LOSSY_FAR = 0.003
/** Between these shares the number of layers stays as it is. */
const LAYERS_ON = 0.17
const LAYERS_OFF = 0.1
const DELAY_ON = 0.01
const HEAVY = 0.14
/** Round trips that retransmission takes: one for light loss; heavy loss takes several attempts. */
const ROUND_TRIPS = 1.25
const ROUND_TRIPS_HEAVY = 2.5
const DELAY_SLACK_MS = 100
/** More delay than this makes people interrupt each other. */
const DELAY_MAX_MS = 600
const DELAY_STEP_MS = 100
const CALM_NEEDED = 30

/** Pure. Reacts to loss at once, and to its end after half a minute. */
export function stepLoss(before: LossState, { outLoss, inLoss, roundTripMs, queueMs }: Reading): LossState {
  const out = before.out + (outLoss - before.out) * DRIFT
  const into = before.in + (inLoss - before.in) * DRIFT
  const calmLayers = before.layers === 3 && out < LAYERS_OFF ? before.calmLayers + 1 : 0
  // The queueing delay is left out: one late reading raises it.
  const wanted = delayFor(into, roundTripMs - queueMs)
  const isMore = wanted !== null && (before.delayMs === null || wanted > before.delayMs)
  const isLess = before.delayMs !== null && (wanted === null || wanted < before.delayMs)
  const calmDelay = isLess ? before.calmDelay + 1 : 0
  const isCalm = calmDelay >= CALM_NEEDED
  return {
    out,
    in: into,
    isLossy: before.isLossy || out > (roundTripMs > FAR_MS ? LOSSY_FAR : LOSSY),
    layers: out > LAYERS_ON ? 3 : calmLayers >= CALM_NEEDED ? 1 : before.layers,
    delayMs: isMore || isCalm ? wanted : before.delayMs,
    calmLayers,
    calmDelay: isCalm ? 0 : calmDelay,
  }
}

/** The delay is rounded up, so that a round trip that varies a little changes nothing. */
function delayFor(loss: number, roundTripMs: number): number | null {
  if (loss < DELAY_ON) return null
  const trips = loss > HEAVY ? ROUND_TRIPS_HEAVY : ROUND_TRIPS
  const needed = Math.ceil((roundTripMs * trips + DELAY_SLACK_MS) / DELAY_STEP_MS) * DELAY_STEP_MS
  return Math.min(DELAY_MAX_MS, needed)
}
