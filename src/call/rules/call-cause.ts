import type { PeerStatus } from '#protocol/peer.ts'
import { LOSS_FAIR, QUEUE_FAIR_MS, TIGHT_KBPS } from './call-reading.ts'
import type { GovernorState, Signal } from './governor.ts'

/** The cause that explains the quality of the call. Causes that begin with `peer-` are on the peer's side. */
export type CallCause =
  | 'good'
  | 'udp-blocked'
  | 'slow-network'
  | 'lossy-network'
  | 'long-way'
  | 'stills'
  | 'sound-only'
  | 'slow-device'
  | 'peer-device'
  | 'peer-network'
  | 'peer-loss'

/** An entry of the list of causes of a call. It has no address and no name. `at` is a time of `performance.now()`. */
export type CauseRecord = { at: number; cause: CallCause; bars: Signal['bars']; isRelayed: boolean }

/** `cause` is shown to the user. `found` is what the last `readings` readings found. */
export type CauseState = { cause: CallCause; found: CallCause; readings: number; reason: Signal['reason'] }

type Known = Pick<GovernorState, 'signal' | 'loss' | 'path' | 'last' | 'device'>

const LONG_WAY_MS = 300
/** Readings in a row that must find another cause before it is shown, while the signal stays the same. */
const STEADY_READINGS = 3
/** Most entries in the list of causes of a call. */
const RECORDS_MAX = 50

export const noCause: CauseState = { cause: 'good', found: 'good', readings: 0, reason: 'good' }

/** Pure. Returns the cause of the shown signal. `heard` is the status that the peer sent of itself. */
export function causeOf({ signal, loss, path, last, device }: Known, heard: PeerStatus | null): CallCause {
  const { reason } = signal
  switch (reason) {
    case 'good':
      return peerCause(heard) ?? 'good'
    case 'peer-network':
      // A slow device of the peer loses no packets.
      return peerCause(heard) === 'peer-network' ? 'peer-network' : 'peer-loss'
    case 'slow-device':
      return reason
    default: {
      if (last?.isUdpBlocked) return 'udp-blocked'
      if (reason !== 'weak-network') return reason
      const shortestMs = path.roundTripMs ?? 0
      const hasQueue = (last?.roundTripMs ?? 0) - shortestMs > QUEUE_FAIR_MS
      // A full queue and a narrow network also lose packets. Then slowness is the cause, not the loss.
      if (hasQueue) return 'slow-network'
      if (loss.out > LOSS_FAIR) return 'lossy-network'
      const isTight = (last?.availableKbps ?? Number.POSITIVE_INFINITY) < TIGHT_KBPS
      if (isTight) return 'slow-network'
      if (shortestMs > LONG_WAY_MS) return 'long-way'
      // A busy device also sends less. In its first readings that looks like a weak network.
      return device.level > 0 ? 'slow-device' : 'slow-network'
    }
  }
}

function peerCause(heard: PeerStatus | null): 'peer-device' | 'peer-network' | null {
  if (!heard) return null
  if (heard.weak === 'device') return 'peer-device'
  return heard.weak === 'network' || heard.noPicture === 'network' || heard.stills ? 'peer-network' : null
}

/** Returns the weakness of this side that the peer is told; undefined if there is none. */
export function weakness(cause: CallCause): PeerStatus['weak'] {
  if (cause === 'slow-device') return 'device'
  return cause === 'good' || cause.startsWith('peer-') ? undefined : 'network'
}

/** Pure. Shows the cause of a changed signal at once, and another cause of the same signal after STEADY_READINGS readings. */
export function stepCause(state: CauseState, known: Known, heard: PeerStatus | null): CauseState {
  const found = causeOf(known, heard)
  const { reason } = known.signal
  const readings = found === state.found ? state.readings + 1 : 1
  const isNew = reason !== state.reason || readings >= STEADY_READINGS
  return { cause: isNew ? found : state.cause, found, readings, reason }
}

/** Adds the cause of this reading if it differs from the last entry. Above RECORDS_MAX drops the oldest entry. */
export function withCause(records: readonly CauseRecord[], cause: CallCause, known: Known): readonly CauseRecord[] {
  if (!known.last || (records.at(-1)?.cause ?? 'good') === cause) return records
  const { at, isRelayed } = known.last
  return [...records, { at, cause, bars: known.signal.bars, isRelayed }].slice(-RECORDS_MAX)
}
