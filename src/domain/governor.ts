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
export type SignalReason = 'good' | 'weak-network' | 'slow-device' | 'peer-network'
export type Signal = { bars: 0 | 1 | 2 | 3; reason: SignalReason }

export type GovernorState = {
  /** Place on the ladder: 0 is the best picture. */
  level: number
  last: CallSample | null
  /** Readings in a row that were bad, that were good. */
  bad: number
  good: number
  /** Good readings that a step up needs; more after a step up that did not last. */
  patience: number
  /** Readings since the last step up; null after a step down. */
  sinceUp: number | null
  signal: Signal
}

/** From the best picture to the smallest that is still a face. */
export const ladder: readonly SendLimits[] = [
  { maxKbps: 2_500, maxFrameRate: 30, scaleDownBy: 1 },
  { maxKbps: 1_500, maxFrameRate: 30, scaleDownBy: 1 },
  { maxKbps: 900, maxFrameRate: 24, scaleDownBy: 1.5 },
  { maxKbps: 500, maxFrameRate: 20, scaleDownBy: 2 },
  { maxKbps: 250, maxFrameRate: 15, scaleDownBy: 3 },
  { maxKbps: 120, maxFrameRate: 10, scaleDownBy: 4 },
]
const LOWEST = ladder.length - 1
/** Nobody sees the page: enough to show that there is somebody. */
const hiddenLimits: SendLimits = { maxKbps: 80, maxFrameRate: 5, scaleDownBy: 4 }

const BAD_IN_A_ROW = 2
const PATIENCE = 10
const PATIENCE_MAX = 80
/** A step up that is taken back sooner was too early. */
const TRIAL = 15

const LOSS_BAD = 0.1
const LOSS_FAIR = 0.03
const ROUND_TRIP_BAD_MS = 600
const ROUND_TRIP_FAIR_MS = 300
/** Share of the time that the page was busy with tasks over 50 ms. */
const BUSY_BAD = 0.3
/** Room above the next level's bit rate, where the browser has an estimate. */
const HEADROOM = 1.2

export function governorAt(level: number): GovernorState {
  const signal: Signal = { bars: 3, reason: 'good' }
  return { level, last: null, bad: 0, good: 0, patience: PATIENCE, sinceUp: null, signal }
}

type Reading = { outLoss: number; inLoss: number; roundTripMs: number; busy: number; now: CallSample }

function read(before: CallSample, now: CallSample, page: PageLoad): Reading {
  const lost = Math.max(0, now.packetsLost - before.packetsLost)
  const received = Math.max(0, now.packetsReceived - before.packetsReceived)
  const elapsed = Math.max(1, now.at - before.at)
  return {
    outLoss: now.remoteLoss ?? 0,
    inLoss: lost + received === 0 ? 0 : lost / (lost + received),
    roundTripMs: now.roundTripMs ?? 0,
    busy: page.longTaskMs / elapsed,
    now,
  }
}

function isSlowDevice({ now, busy }: Reading): boolean {
  return now.limitedBy === 'cpu' || busy > BUSY_BAD
}

function isWeakNetwork({ now, outLoss, roundTripMs }: Reading, level: number): boolean {
  const room = now.availableKbps
  const lowest = ladder[Math.min(level + 1, LOWEST)]?.maxKbps ?? 0
  return outLoss > LOSS_BAD || roundTripMs > ROUND_TRIP_BAD_MS || (room !== null && room < lowest)
}

function hasRoom({ now, outLoss }: Reading, level: number): boolean {
  const above = ladder[level - 1]?.maxKbps ?? 0
  return outLoss < LOSS_FAIR && (now.availableKbps === null || now.availableKbps > above * HEADROOM)
}

function signalOf(reading: Reading, level: number, best: number): Signal {
  const { outLoss, inLoss, roundTripMs } = reading
  if (isSlowDevice(reading)) return { bars: level - best > 2 ? 1 : 2, reason: 'slow-device' }
  if (isWeakNetwork(reading, level)) return { bars: 1, reason: 'weak-network' }
  if (inLoss > LOSS_BAD) return { bars: 1, reason: 'peer-network' }
  if (inLoss > LOSS_FAIR) return { bars: 2, reason: 'peer-network' }
  if (outLoss > LOSS_FAIR || roundTripMs > ROUND_TRIP_FAIR_MS || level - best > 1)
    return { bars: 2, reason: 'weak-network' }
  return { bars: 3, reason: 'good' }
}

/**
 * Pure. One reading after the other steps the picture that is sent down after two bad seconds and up after ten good ones,
 * never above `best`, the level of the capture tier. A hidden page says nothing of the network or the device.
 */
export function stepGovernor(state: GovernorState, now: CallSample, page: PageLoad, best: number): GovernorState {
  const before = state.last
  if (before === null || page.hidden) return { ...state, last: now, bad: 0, good: 0 }
  const reading = read(before, now, page)
  const isBad = isSlowDevice(reading) || isWeakNetwork(reading, state.level)
  const bad = isBad ? state.bad + 1 : 0
  const good = isBad ? 0 : state.good + 1
  const sinceUp = state.sinceUp === null ? null : state.sinceUp + 1
  const next = { ...state, last: now, bad, good, sinceUp, signal: signalOf(reading, state.level, best) }
  if (bad >= BAD_IN_A_ROW && state.level < LOWEST) {
    const tooEarly = sinceUp !== null && sinceUp <= TRIAL
    const patience = tooEarly ? Math.min(PATIENCE_MAX, state.patience * 2) : state.patience
    return { ...next, level: state.level + 1, bad: 0, patience, sinceUp: null }
  }
  if (good >= state.patience && state.level > best && hasRoom(reading, state.level))
    return { ...next, level: state.level - 1, good: 0, sinceUp: 0 }
  return next
}

export function limitsOf({ level }: Pick<GovernorState, 'level'>, hidden: boolean): SendLimits {
  return (hidden ? hiddenLimits : ladder[level]) ?? hiddenLimits
}
