import {
  type CallSample,
  type Conditions,
  LOSS_BAD,
  LOSS_FAIR,
  type Path,
  QUEUE_BAD_MS,
  QUEUE_FAIR_MS,
  type Reading,
  ROUND_TRIP_BAD_MS,
  ROUND_TRIP_FAIR_MS,
  readBetween,
  TIGHT_KBPS,
} from './call-reading.ts'
import { type LossState, noLoss, stepLoss } from './loss.ts'
import { firstStep, networkVerdict, START_READINGS } from './network-verdict.ts'
import { noRecovery, pauseRecovery, type Recovery, stepRecovery } from './recovery.ts'
import { type Rungs, stepRungs, topRung, type Verdict } from './rungs.ts'
import { networkSteps, SLOWEST_DEVICE } from './send-ladder.ts'

/** Why the quality of a call is reduced. */
type SignalReason = 'good' | 'weak-network' | 'stills' | 'sound-only' | 'slow-device' | 'peer-network'
export type Signal = { bars: 0 | 1 | 2 | 3; reason: SignalReason }

export type GovernorState = {
  device: Rungs
  network: Rungs
  loss: LossState
  recovery: Recovery
  last: CallSample | null
  /** Number of further readings to ignore. */
  settling: number
  /** Number of readings so far. */
  age: number
  /** Number of further readings that may still reflect the time before the last step of the network. */
  aftermath: number
  path: Path
  ceilingKbps: number | null
  signal: Signal
  /** Number of readings in a row that were better than the shown signal; negative if they were worse. */
  drift: number
}

/** What a sample says of network and device; null without an earlier sample to compare with. */
type Judgement = { reading: Reading; network: Verdict; trouble: DeviceTrouble | null } | null
export type GovernorStep = { before: GovernorState; after: GovernorState; sample: CallSample; judgement: Judgement }

/**
 * SETTLING: readings to ignore after the start, after the page was hidden and after a new ceiling, when estimates are
 * out of date. AFTERMATH: the same after a step of the network.
 */
const SETTLING = 3
const AFTERMATH = 3
/** Ceiling below which there is no room for a picture: the estimate then tells nothing about the network. */
const PICTURE_KBPS = 100

/**
 * Shares above which the device is too slow: of the time in tasks over 50 ms, of the time in encoder or decoder, of frames dropped as late.
 */
const BUSY_BAD = 0.3
const CODING_BAD = 0.9
const DROPPED_BAD = 0.25

const DRIFT_DOWN = -2
const DRIFT_UP = 4

export const governorStart: GovernorState = {
  device: topRung,
  network: topRung,
  loss: noLoss,
  recovery: noRecovery,
  last: null,
  settling: SETTLING,
  age: 0,
  aftermath: 0,
  path: { sentKbps: null, roundTripMs: null },
  ceilingKbps: null,
  signal: { bars: 3, reason: 'good' },
  drift: 0,
}

/**
 * Pure. Call it with one sample a second. The browser's congestion control fits the picture to the network. The
 * governor decides what congestion control cannot: what to do on a slow device, how to repair loss, and when to give up
 * the picture for the sound. Samples of a hidden page are ignored.
 */
export function stepGovernor(state: GovernorState, now: CallSample, conditions: Conditions): GovernorState {
  if (conditions.hidden) return { ...state, last: now, settling: SETTLING, drift: 0 }
  if (now.bytesSent === 0) return { ...state, last: now, network: firstStep(now) }
  if (state.last === null) return { ...state, last: now }
  const [reading, path] = readBetween(state.last, now, conditions, state.path)
  const { ceilingKbps } = conditions
  const isChanged = ceilingKbps !== state.ceilingKbps
  const isUnmeasured = isChanged || (ceilingKbps !== null && ceilingKbps < PICTURE_KBPS)
  // Readings at the start count although the estimate settles: a far too narrow network shows at once, and a wait would cost the sound.
  const isStale = isUnmeasured || state.aftermath > 0 || (state.settling > 0 && state.age > START_READINGS)
  const verdict = isStale ? 'fair' : networkVerdict(reading, now, state)
  const network = stepRungs(state.network, verdict, networkSteps.soundOnly)
  const aftermath = network.level === state.network.level ? Math.max(0, state.aftermath - 1) : AFTERMATH
  const next = {
    ...state,
    last: now,
    path,
    network,
    aftermath,
    ceilingKbps,
    age: state.age + 1,
    loss: stepLoss(state.loss, reading),
    recovery:
      ceilingKbps === null
        ? stepRecovery(state.recovery, now.availableKbps, isCalm(reading))
        : pauseRecovery(state.recovery),
  }
  if (isChanged) return { ...next, settling: SETTLING, drift: 0 }
  if (state.settling > 0) return { ...next, settling: state.settling - 1 }
  return withSignal({ ...next, device: stepRungs(state.device, deviceVerdict(reading), SLOWEST_DEVICE) }, reading)
}

/** Pure, for the profiler. Returns what the governor finds in this sample. */
export function judge(before: GovernorState, sample: CallSample, conditions: Conditions): Judgement {
  if (before.last === null || sample.bytesSent === 0) return null
  const [reading] = readBetween(before.last, sample, conditions, before.path)
  return { reading, network: networkVerdict(reading, sample, before), trouble: deviceTrouble(reading) }
}

/** Returns whether the quality of the call is the best possible. */
export function isAtBest({ device, network, signal, loss }: GovernorState): boolean {
  const isTop = device.level === 0 && network.level === 0 && device.bad === 0 && network.bad === 0
  return isTop && signal.reason === 'good' && loss.delayMs === null
}

/** The sign by which a device is found to be too slow for its picture. */
type DeviceTrouble = 'encoder limited by cpu' | 'long tasks' | 'slow coding' | 'late frames'

/** Returns null if the device is fast enough. */
function deviceTrouble({ busy, coding, dropped, inLoss, limitedBy }: Reading): DeviceTrouble | null {
  if (limitedBy === 'cpu') return 'encoder limited by cpu'
  if (busy > BUSY_BAD) return 'long tasks'
  if (coding > CODING_BAD) return 'slow coding'
  // Packet loss also drops frames, since they cannot be decoded.
  return dropped > DROPPED_BAD && inLoss < LOSS_FAIR ? 'late frames' : null
}

function deviceVerdict(reading: Reading): Verdict {
  return deviceTrouble(reading) ? 'bad' : 'good'
}

function isCalm({ outLoss, queueMs }: Reading): boolean {
  return outLoss < LOSS_FAIR && queueMs < QUEUE_FAIR_MS
}

/** Changes the signal only after several readings agree, so that it does not flicker. */
function withSignal(state: GovernorState, reading: Reading): GovernorState {
  const { signal, drift } = state
  const now = signalNow(reading, state)
  if (now.bars === signal.bars && now.reason === signal.reason) return { ...state, drift: 0 }
  const drifted = now.bars < signal.bars ? Math.min(drift, 0) - 1 : Math.max(drift, 0) + 1
  if (drifted > DRIFT_DOWN && drifted < DRIFT_UP) return { ...state, drift: drifted }
  return { ...state, signal: now, drift: 0 }
}

function signalNow({ roundTripMs, queueMs, roomKbps }: Reading, { device, network, loss }: GovernorState): Signal {
  if (network.level === networkSteps.soundOnly) return { bars: 1, reason: 'sound-only' }
  if (network.level === networkSteps.still) return { bars: 1, reason: 'stills' }
  const isCrowded = roundTripMs > ROUND_TRIP_BAD_MS || queueMs > QUEUE_BAD_MS || loss.out > LOSS_BAD
  if (network.level > networkSteps.wide || isCrowded) return { bars: 1, reason: 'weak-network' }
  if (device.level > 0 || device.bad > 0) return { bars: device.level > 2 ? 1 : 2, reason: 'slow-device' }
  if (loss.in > LOSS_FAIR) return { bars: loss.in > LOSS_BAD ? 1 : 2, reason: 'peer-network' }
  const isSlow = roomKbps !== null && roomKbps < TIGHT_KBPS
  if (loss.out > LOSS_FAIR || roundTripMs > ROUND_TRIP_FAIR_MS || isSlow) return { bars: 2, reason: 'weak-network' }
  return { bars: 3, reason: 'good' }
}
