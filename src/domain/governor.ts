import { type Path, type Reading, readBetween } from './call-reading.ts'
import { LOWEST, ladder } from './send-ladder.ts'

/** One reading of a peer connection's statistics. Counters go on from the start of the call; null is what a browser does not tell. */
export type CallSample = {
  /** Milliseconds of `performance.now()`. */
  at: number
  framesDecoded: number
  framesDropped: number
  /** Seconds spent on decoding, on encoding. */
  decodeSeconds: number
  encodeSeconds: number
  audioPacketsReceived: number
  packetsReceived: number
  packetsLost: number
  /** What the peer tells of our packets: the share that it lost. */
  remoteLoss: number | null
  roundTripMs: number | null
  availableKbps: number | null
  bytesSent: number
  bytesReceived: number
  framesEncoded: number
  limitedBy: 'none' | 'cpu' | 'bandwidth' | 'other'
  /** The camera's shorter side in pixels; 0 where it is not told. */
  capturedSide: number
  sentHeight: number
  receivedHeight: number
  codec: string
  /** The media goes through a relay. */
  isRelayed: boolean
}

/** What is sent at most. `scaleDownBy` divides width and height of the camera's picture. */
export type SendLimits = { maxKbps: number; maxFrameRate: number; scaleDownBy: number }

/** What the page says of itself between two readings. */
export type PageLoad = { hidden: boolean; longTaskMs: number }

/** Why a call is not as good as it could be. */
type SignalReason = 'good' | 'weak-network' | 'slow-device' | 'peer-network'
export type Signal = { bars: 0 | 1 | 2 | 3; reason: SignalReason }

type Trouble = 'weak-network' | 'slow-device'

export type GovernorState = {
  /** Place on the ladder: 0 is the best picture. */
  level: number
  /** What led down to this level. */
  cause: Trouble | null
  last: CallSample | null
  /** Readings that are still to pass before any counts. */
  settling: number
  /** Readings in a row that were bad, that were good. */
  bad: number
  good: number
  /** Good readings that a step up needs; more after a step up that did not last. */
  patience: number
  /** Readings since the last step up; null where that is over, one way or the other. */
  trial: number | null
  path: Path
  signal: Signal
  /** Readings in a row that were better than the signal; below zero, worse. */
  drift: number
}

/** A call that starts, or comes back from being hidden, is busy with that, and its estimates are old. */
const SETTLING = 3
/** A network tells of what was only a second later. */
const AFTERMATH = 1
const BAD_IN_A_ROW = 2
const PATIENCE = 10
const PATIENCE_MAX = 80
/** A step up that is taken back sooner was too early. */
const TRIAL = 60

const LOSS_BAD = 0.1
const LOSS_FAIR = 0.03
const ROUND_TRIP_BAD_MS = 600
const ROUND_TRIP_FAIR_MS = 300
/** Waiting on the way. The length of the way itself is nothing that a smaller picture makes shorter. */
const QUEUE_BAD_MS = 400
const QUEUE_FAIR_MS = 150
/** Shares of the time: the page in tasks over 50 ms, encoder or decoder at work; share of frames that came too late to be shown. */
const BUSY_BAD = 0.3
const CODING_BAD = 0.9
const DROPPED_BAD = 0.25
/** Room above this level's bit rate that a step up needs. More cannot be asked: an estimate stays near what is sent. */
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
    patience: PATIENCE,
    trial: null,
    path: { sentKbps: null, roundTripMs: null },
    signal: { bars: 3, reason: 'good' },
    drift: 0,
  }
}

/**
 * Pure. One sample a second steps the picture that is sent down after two bad seconds and up after ten good ones, never
 * above `best`. A hidden page says nothing of the network or the device.
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

/** A step up that has lasted was right: the next one needs no more patience than the first. */
function tried(state: GovernorState): GovernorState {
  if (state.trial === null) return state
  return state.trial < TRIAL ? { ...state, trial: state.trial + 1 } : { ...state, trial: null, patience: PATIENCE }
}

function moved(state: GovernorState, { roomKbps }: Reading, trouble: Trouble | null, best: number): GovernorState {
  const { level, bad, good, patience, trial } = state
  if (trouble !== null && bad >= BAD_IN_A_ROW && level < LOWEST) {
    const longer = trial === null ? patience : Math.min(PATIENCE_MAX, patience * 2)
    return {
      ...state,
      level: levelBelow(level, trouble === 'weak-network' ? roomKbps : null),
      cause: trouble,
      bad: 0,
      patience: longer,
      trial: null,
      settling: trouble === 'weak-network' ? AFTERMATH : 0,
    }
  }
  if (good >= patience && level > best) return { ...state, level: level - 1, good: 0, trial: 0 }
  return state
}

/** At once to where a climb within this room would end: on the way there nothing would get through. */
function levelBelow(level: number, roomKbps: number | null): number {
  const fitting = ladder.findLastIndex(({ maxKbps }) => roomKbps !== null && roomKbps <= maxKbps * HEADROOM)
  return Math.max(level + 1, fitting)
}

function troubleOf(reading: Reading, level: number): Trouble | null {
  const { busy, coding, dropped, inLoss, outLoss, limitedBy, queueMs, roomKbps } = reading
  // What a lossy network leaves undecodable is dropped, too.
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

/** Shown is what has been so for a while: a signal that jumps tells nothing. */
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
