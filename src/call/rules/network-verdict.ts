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

/** Before anything is sent, only slow networks and satellites have round trips this long. */
const LONG_PATH_MS = 700
const VERY_LONG_PATH_MS = 1_000

/**
 * Below NARROW_KBPS sound does not fit beside the full picture, below STILL_KBPS beside the small one, below
 * SOUND_ONLY_KBPS beside stills.
 */
const NARROW_KBPS = 110
const STILL_KBPS = 45
const SOUND_ONLY_KBPS = 25
/**
 * Below this estimate the small picture does not fit either. In the first readings of a call one such reading is
 * enough. Later the estimate of a fast network that becomes slower also falls this low for a moment.
 */
const FAR_TOO_NARROW_KBPS = 80
export const START_READINGS = 12
/** An estimate below this needs no second reading beside a round trip above CHOKED_MS, which only a full queue explains. */
const CHOKED_KBPS = 300
const CHOKED_MS = 1_300
/** A round trip above this means a full queue, whatever the estimate is. */
const FULL_MS = 1_500
/** Estimates from which the next step up is tried: from the small picture, and from stills. */
const ROOM_KBPS = 100
const STILL_ROOM_KBPS = 40
/**
 * From this estimate on the next step up is tried soon. With the small picture the browser measures at most twice what
 * is sent.
 */
const FREE_KBPS = 115
/** A network that was this fast is expected to be so again. */
const FAST_KBPS = 1_000
/** The start estimate says nothing yet in the first readings. */
const ESTIMATE_READINGS = 5
const STEADY = 0.95

/** What earlier readings found. `age` is their number. */
type Before = { network: Rungs; recovery: Recovery; age: number; last: CallSample | null }

/**
 * Returns the step of the first picture. At the full start estimate it would fill a slow network's queue for many
 * seconds.
 */
export function firstStep({ roundTripMs }: CallSample): Rungs {
  if ((roundTripMs ?? 0) < LONG_PATH_MS) return topRung
  return { ...topRung, level: (roundTripMs ?? 0) < VERY_LONG_PATH_MS ? networkSteps.narrow : networkSteps.still }
}

/** Pure. Returns what a reading says of the network's current step. */
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

/** The verdict on a reduced picture: below `least` kbit/s it does not fit, from `enough` on a better picture may. */
function reducedVerdict(
  reading: Reading,
  now: CallSample,
  { last, age, recovery }: Before,
  { least, enough }: { least: number; enough: number },
): Verdict {
  const { roomKbps, queueMs, roundTripMs } = reading
  const room = roomKbps ?? Number.POSITIVE_INFINITY
  // The estimate is low because of the loss, also in the first readings, before any loss was reported.
  if (isLossAlone(reading)) return 'good'
  if (roundTripMs > CHOKED_MS && room < least) return 'urgent'
  if (room < least) return 'bad'
  if (roundTripMs > FULL_MS) return now.roundTripMs === last?.roundTripMs ? 'unknown' : 'bad'
  // A full queue lowers the estimate over several seconds.
  const isFalling = (now.availableKbps ?? 0) < (last?.availableKbps ?? 0) * STEADY
  if ((isFalling && recovery.best < FAST_KBPS) || age < ESTIMATE_READINGS) return 'fair'
  // With a reduced picture the estimate says little of a network that carried much before.
  const mayCarry = (now.availableKbps ?? 0) > FREE_KBPS || recovery.best > FAST_KBPS
  const isFree = mayCarry && queueMs < QUEUE_FAIR_MS && roundTripMs <= CHOKED_MS
  if (isFree) return 'free'
  return (now.availableKbps ?? enough) >= enough && queueMs < QUEUE_BAD_MS ? 'good' : 'fair'
}

/** Heavy loss lowers the estimate although the link has room: a smaller picture would not help. */
function isLossAlone({ outLoss, queueMs, roundTripMs }: Reading): boolean {
  return outLoss > LOSS_BAD && queueMs < QUEUE_BAD_MS && roundTripMs < ROUND_TRIP_BAD_MS
}
