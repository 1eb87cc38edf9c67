import {
  type CallSample,
  LOSS_BAD,
  QUEUE_BAD_MS,
  QUEUE_FAIR_MS,
  type Reading,
  ROUND_TRIP_BAD_MS,
} from './call-reading.ts'
import { hasCollapsed, type Recovery } from './recovery.ts'
import { type Rungs, topRung, type Verdict } from './rungs.ts'
import { networkSteps } from './send-ladder.ts'

/**
 * Round trips from which on the first picture is small, or a still. Before anything is sent, only slow networks and
 * satellites have such long round trips.
 */
const LONG_PATH_MS = 700
const VERY_LONG_PATH_MS = 1_000

/**
 * Estimates below which the sound does not fit beside the picture: NARROW_KBPS beside the full picture, STILL_KBPS
 * beside the small picture, SOUND_ONLY_KBPS beside stills.
 */
const NARROW_KBPS = 110
const STILL_KBPS = 45
const SOUND_ONLY_KBPS = 25
/**
 * Estimate below which not even the small picture fits. In the first START_READINGS readings of a call a single such
 * reading is enough. Later a fast network that becomes slower also falls this low for a moment.
 */
const FAR_TOO_NARROW_KBPS = 80
export const START_READINGS = 12
/** Estimate and round trip that together need no second reading: only a full queue explains such a long round trip. */
const CHOKED_KBPS = 300
const CHOKED_MS = 1_300
/** Round trip above which the queue is full, whatever the estimate is. */
const FULL_MS = 1_500
/** Estimates from which on the next step up is tried: ROOM_KBPS from the small picture, STILL_ROOM_KBPS from stills. */
const ROOM_KBPS = 100
const STILL_ROOM_KBPS = 40
/** Estimate above which the next step up is tried soon. With the small picture it is at most twice what is sent. */
const FREE_KBPS = 115
/** Highest estimate of a call above which the network is expected to become fast again. */
const FAST_KBPS = 1_000
/** First readings of a call, in which the estimate still depends on the start estimate. */
const ESTIMATE_READINGS = 5
const STEADY = 0.95

/** What earlier readings found. `age` is their number. */
type Before = { network: Rungs; recovery: Recovery; age: number; last: CallSample | null }

/** Returns the step for the first picture: at the full start estimate it would fill a slow network for seconds. */
export function firstStep({ roundTripMs }: CallSample): Rungs {
  if ((roundTripMs ?? 0) < LONG_PATH_MS) return topRung
  return { ...topRung, level: (roundTripMs ?? 0) < VERY_LONG_PATH_MS ? networkSteps.narrow : networkSteps.still }
}

/** Pure. Returns whether the current step of the network is right, by this reading. */
export function networkVerdict(reading: Reading, now: CallSample, state: Before): Verdict {
  const { network, age } = state
  const { roomKbps, queueMs, roundTripMs } = reading
  const room = roomKbps ?? Number.POSITIVE_INFINITY
  switch (network.level) {
    case networkSteps.wide: {
      if (hasCollapsed(state.recovery, now.availableKbps)) return 'urgent'
      if (isLossAlone(reading)) return 'good'
      if (roundTripMs > CHOKED_MS && room < CHOKED_KBPS) return 'urgent'
      if (room < FAR_TOO_NARROW_KBPS && age < START_READINGS) return 'urgent'
      return room < NARROW_KBPS ? 'bad' : 'good'
    }
    case networkSteps.narrow: {
      const verdict = reducedVerdict(reading, now, state, { least: STILL_KBPS, enough: ROOM_KBPS })
      return verdict === 'bad' && (room < SOUND_ONLY_KBPS || roundTripMs > FULL_MS) ? 'worse' : verdict
    }
    case networkSteps.still:
      return reducedVerdict(reading, now, state, { least: SOUND_ONLY_KBPS, enough: STILL_ROOM_KBPS })
    default:
      return queueMs < QUEUE_BAD_MS ? 'good' : 'fair'
  }
}

/**
 * Returns the verdict on the small picture or the stills. Below `least` kbit/s they do not fit; from `enough` kbit/s on
 * a better picture may fit.
 */
function reducedVerdict(
  reading: Reading,
  now: CallSample,
  { last, age, recovery }: Before,
  { least, enough }: { least: number; enough: number },
): Verdict {
  const { roomKbps, queueMs, roundTripMs } = reading
  const room = roomKbps ?? Number.POSITIVE_INFINITY
  // Loss alone lowers the estimate, also in the first readings, before any loss was reported.
  if (isLossAlone(reading)) return 'good'
  if (roundTripMs > CHOKED_MS && room < least) return 'urgent'
  if (room < least) return 'bad'
  if (roundTripMs > FULL_MS) return now.roundTripMs === last?.roundTripMs ? 'unknown' : 'bad'
  // A full queue lowers the estimate over several seconds.
  const isFalling = (now.availableKbps ?? 0) < (last?.availableKbps ?? 0) * STEADY
  if ((isFalling && recovery.best < FAST_KBPS) || age < ESTIMATE_READINGS) return 'fair'
  // If the network was fast before, a low estimate under a reduced picture does not count.
  const mayCarry = (now.availableKbps ?? 0) > FREE_KBPS || recovery.best > FAST_KBPS
  const isFree = mayCarry && queueMs < QUEUE_FAIR_MS && roundTripMs <= CHOKED_MS
  if (isFree) return 'free'
  return (now.availableKbps ?? enough) >= enough && queueMs < QUEUE_BAD_MS ? 'good' : 'fair'
}

/** Returns whether only heavy loss lowers the estimate. The network has room: a smaller picture would not help. */
function isLossAlone({ outLoss, queueMs, roundTripMs }: Reading): boolean {
  return outLoss > LOSS_BAD && queueMs < QUEUE_BAD_MS && roundTripMs < ROUND_TRIP_BAD_MS
}
