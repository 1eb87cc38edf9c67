import type { Reading } from './call-reading.ts'

/**
 * The protection of a call from lost packets. Each measure was compared with the browser's defaults over impaired
 * links: see docs/decisions/picture-quality.md.
 */
export type LossState = {
  /** Moving averages of the share of lost packets: `out` of what this side sent, `in` of what the peer sent. */
  out: number
  in: number
  /** True from the first noticeable loss on: the picture then uses a codec whose errors do not freeze it. */
  isLossy: boolean
  /** Temporal layers of the sent picture. With three, a lost packet mostly costs one frame, not all after it. */
  layers: 1 | 3
  /** Delay of playback in ms, in which lost packets can be sent again; null leaves the delay to the browser. */
  delayMs: number | null
  /** Number of readings in a row that needed fewer layers (`calmLayers`) or less delay (`calmDelay`). */
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

/** Weight of a new reading in the moving averages. */
const DRIFT = 0.2
const LOSSY = 0.02
/** Round trip above which a retransmission comes too late and only error correction helps. */
const FAR_MS = 400
const LOSSY_FAR = 0.003
/** Share of loss above which three layers are sent, and below which one is sent again. */
const LAYERS_ON = 0.17
const LAYERS_OFF = 0.1
const DELAY_ON = 0.01
const HEAVY = 0.14
/** Round trips that retransmission takes: with light loss, and with heavy loss, which needs several attempts. */
const ROUND_TRIPS = 1.25
const ROUND_TRIPS_HEAVY = 2.5
const DELAY_SLACK_MS = 100
/** Longest delay. With more delay people interrupt each other. */
const DELAY_MAX_MS = 600
const DELAY_STEP_MS = 100
const CALM_NEEDED = 30

/** Pure. Adds protection as soon as there is loss, and reduces it after CALM_NEEDED readings without need. */
export function stepLoss(before: LossState, { outLoss, inLoss, roundTripMs, queueMs }: Reading): LossState {
  const out = before.out + (outLoss - before.out) * DRIFT
  const into = before.in + (inLoss - before.in) * DRIFT
  const calmLayers = before.layers === 3 && out < LAYERS_OFF ? before.calmLayers + 1 : 0
  // The queueing delay does not count: a single late reading would raise it.
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

/** Returns the delay that this loss needs. It is rounded up: small changes of the round trip do not change it. */
function delayFor(loss: number, roundTripMs: number): number | null {
  if (loss < DELAY_ON) return null
  const trips = loss > HEAVY ? ROUND_TRIPS_HEAVY : ROUND_TRIPS
  const needed = Math.ceil((roundTripMs * trips + DELAY_SLACK_MS) / DELAY_STEP_MS) * DELAY_STEP_MS
  return Math.min(DELAY_MAX_MS, needed)
}
