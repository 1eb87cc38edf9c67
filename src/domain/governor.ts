import { type Path, type Reading, readBetween } from './call-reading.ts'
import { LOWEST, ladder } from './send-ladder.ts'

/** One sample of a peer connection's statistics. Counters start with the call; null is what the browser does not report. */
export type CallSample = {
  /** Milliseconds of `performance.now()`. */
  at: number
  framesDecoded: number
  framesDropped: number
  /** Seconds spent on decoding and on encoding. */
  decodeSeconds: number
  encodeSeconds: number
  audioPacketsReceived: number
  packetsReceived: number
  packetsLost: number
  /** Share of our packets that the peer reports as lost. */
  remoteLoss: number | null
  roundTripMs: number | null
  availableKbps: number | null
  bytesSent: number
  bytesReceived: number
  framesEncoded: number
  limitedBy: 'none' | 'cpu' | 'bandwidth' | 'other'
  /** The camera's shorter side in pixels; 0 if unknown. */
  capturedSide: number
  sentHeight: number
  receivedHeight: number
  codec: string
  /** True if media goes through a TURN relay. */
  isRelayed: boolean
}

/** Upper limits of the sent video. `scaleDownBy` divides width and height of the camera's picture. */
export type SendLimits = { maxKbps: number; maxFrameRate: number; scaleDownBy: number }

/** The state of the page between two samples. */
export type PageLoad = { hidden: boolean; longTaskMs: number }

/** Why the quality of a call is reduced. */
type SignalReason = 'good' | 'weak-network' | 'slow-device' | 'peer-network'
export type Signal = { bars: 0 | 1 | 2 | 3; reason: SignalReason }

type Trouble = 'weak-network' | 'slow-device'

export type GovernorState = {
  /** Index on the ladder: 0 is the best picture. */
  level: number
  /** Why the level was last lowered. */
  cause: Trouble | null
  last: CallSample | null
  /** Number of further readings to ignore. */
  settling: number
  /** Bad and good readings in a row. */
  bad: number
  good: number
  /** Good readings in a row that a step up needs; more after a step up that had to be undone. */
  goodNeeded: number
  /** Readings since the last step up; null when it has been kept or undone. */
  trial: number | null
  path: Path
  signal: Signal
  /** Readings in a row that were better than the signal shown; negative if worse. */
  drift: number
}

/** Readings to ignore after the start and after the page was hidden, when estimates are stale. */
const SETTLING = 3
/** Readings to ignore after a step down: network statistics lag by about a second. */
const AFTERMATH = 1
const BAD_IN_A_ROW = 2
const GOOD_NEEDED = 10
const GOOD_NEEDED_MAX = 80
/** Readings within which a step down counts as undoing the step up. */
const TRIAL = 60

const LOSS_BAD = 0.1
const LOSS_FAIR = 0.03
const ROUND_TRIP_BAD_MS = 600
const ROUND_TRIP_FAIR_MS = 300
/** Queueing delay alone, because a smaller picture does not shorten the round trip without queueing. */
const QUEUE_BAD_MS = 400
const QUEUE_FAIR_MS = 150
/** Share of time in tasks over 50 ms, share of time in encoder or decoder, share of frames dropped as late. */
const BUSY_BAD = 0.3
const CODING_BAD = 0.9
const DROPPED_BAD = 0.25
/** Factor of this level's bit rate that the estimate must exceed for a step up. It cannot be larger: estimates stay near the send rate. */
const HEADROOM = 1.25

const DRIFT_DOWN = -2
const DRIFT_UP = 4

export function governorAt(level: number): GovernorState {
  return {
    level,
    cause: null,
    last: null,
    settling: SETTLING,
    bad: 0,
    good: 0,
    goodNeeded: GOOD_NEEDED,
    trial: null,
    path: { sentKbps: null, roundTripMs: null },
    signal: { bars: 3, reason: 'good' },
    drift: 0,
  }
}

/**
 * Pure. With one sample a second, lowers the sent picture by a level after two bad seconds and raises it after ten good ones, never
 * above `best`. Samples of a hidden page are ignored.
 */
export function stepGovernor(before: GovernorState, now: CallSample, page: PageLoad, best: number): GovernorState {
  const state = before.level < best ? { ...before, level: best } : before
  if (page.hidden) return { ...state, last: now, settling: SETTLING, bad: 0, good: 0, drift: 0 }
  if (state.last === null || state.settling > 0) return { ...state, last: now, settling: state.settling - 1 }
  const [reading, path] = readBetween(state.last, now, page, state.path)
  const trouble = troubleOf(reading, state.level)
  const isGood = trouble === null && isCalm(reading, state.level)
  const counted: GovernorState = {
    ...state,
    last: now,
    path,
    bad: trouble === null ? 0 : state.bad + 1,
    good: isGood ? state.good + 1 : 0,
  }
  return withSignal(moved(tried(counted), reading, trouble, best), reading, trouble, best)
}

/** Ends the trial of a step up that has lasted, and resets the good readings that the next one needs. */
function tried(state: GovernorState): GovernorState {
  if (state.trial === null) return state
  return state.trial < TRIAL ? { ...state, trial: state.trial + 1 } : { ...state, trial: null, goodNeeded: GOOD_NEEDED }
}

function moved(state: GovernorState, { roomKbps }: Reading, trouble: Trouble | null, best: number): GovernorState {
  const { level, bad, good, goodNeeded, trial } = state
  if (trouble !== null && bad >= BAD_IN_A_ROW && level < LOWEST) {
    const longer = trial === null ? goodNeeded : Math.min(GOOD_NEEDED_MAX, goodNeeded * 2)
    return {
      ...state,
      level: levelBelow(level, trouble === 'weak-network' ? roomKbps : null),
      cause: trouble,
      bad: 0,
      goodNeeded: longer,
      trial: null,
      settling: trouble === 'weak-network' ? AFTERMATH : 0,
    }
  }
  if (good >= goodNeeded && level > best) return { ...state, level: level - 1, good: 0, trial: 0 }
  return state
}

/** Goes down at once to the level that the estimate allows, because nothing gets through at the levels between. */
function levelBelow(level: number, roomKbps: number | null): number {
  const fitting = ladder.findLastIndex(({ maxKbps }) => roomKbps !== null && roomKbps <= maxKbps * HEADROOM)
  return Math.max(level + 1, fitting)
}

function troubleOf(reading: Reading, level: number): Trouble | null {
  const { busy, coding, dropped, inLoss, outLoss, limitedBy, queueMs, roomKbps } = reading
  // Packet loss also drops frames, as undecodable.
  const isLate = dropped > DROPPED_BAD && inLoss < LOSS_FAIR
  if (limitedBy === 'cpu' || busy > BUSY_BAD || coding > CODING_BAD || isLate) return 'slow-device'
  const below = ladder[Math.min(level + 1, LOWEST)]?.maxKbps ?? 0
  const isNarrow = roomKbps === null ? limitedBy === 'bandwidth' : roomKbps < below
  return isNarrow || outLoss > LOSS_BAD || queueMs > QUEUE_BAD_MS ? 'weak-network' : null
}

function isCalm({ outLoss, queueMs, roomKbps }: Reading, level: number): boolean {
  const needed = (ladder[level]?.maxKbps ?? 0) * HEADROOM
  return outLoss < LOSS_FAIR && queueMs < QUEUE_FAIR_MS && (roomKbps === null || roomKbps > needed)
}

/** Changes the signal only after several readings agree, so that it does not flicker. */
function withSignal(state: GovernorState, reading: Reading, trouble: Trouble | null, best: number): GovernorState {
  const { signal, drift } = state
  const now = signalNow(reading, trouble, state, best)
  if (now.bars === signal.bars && now.reason === signal.reason) return { ...state, drift: 0 }
  const drifted = now.bars < signal.bars ? Math.min(drift, 0) - 1 : Math.max(drift, 0) + 1
  if (drifted > DRIFT_DOWN && drifted < DRIFT_UP) return { ...state, drift: drifted }
  return { ...state, signal: now, drift: 0 }
}

function signalNow(reading: Reading, trouble: Trouble | null, { level, cause }: GovernorState, best: number): Signal {
  const { inLoss, outLoss, roundTripMs } = reading
  const stepsDown = level - best
  if (trouble === 'slow-device') return { bars: stepsDown > 2 ? 1 : 2, reason: trouble }
  if (trouble === 'weak-network' || roundTripMs > ROUND_TRIP_BAD_MS) return { bars: 1, reason: 'weak-network' }
  if (inLoss > LOSS_FAIR) return { bars: inLoss > LOSS_BAD ? 1 : 2, reason: 'peer-network' }
  if (outLoss > LOSS_FAIR || roundTripMs > ROUND_TRIP_FAIR_MS) return { bars: 2, reason: 'weak-network' }
  if (stepsDown > 1 && cause !== null) return { bars: 2, reason: cause }
  return { bars: 3, reason: 'good' }
}
