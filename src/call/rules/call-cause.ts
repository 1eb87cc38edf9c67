import type { PeerStatus } from '#protocol/peer.ts'
import { LOSS_FAIR, QUEUE_FAIR_MS, TIGHT_KBPS } from './call-reading.ts'
import type { GovernorState, Signal } from './governor.ts'

/** The one cause that explains the quality of a call. The causes `peer-...` are on the other side. */
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

/** An entry of the list of causes of a call. It has no address and no name. `at` is of `performance.now()`. */
export type CauseRecord = { at: number; cause: CallCause; bars: Signal['bars']; isRelayed: boolean }

/** `cause` is shown; the last `readings` readings found the cause `found`. */
export type CauseState = { cause: CallCause; found: CallCause; readings: number; reason: Signal['reason'] }

type Known = Pick<GovernorState, 'signal' | 'loss' | 'path' | 'last' | 'device'>

const LONG_WAY_MS = 300
/** Readings after which another cause of the same signal is shown. */
const STEADY_READINGS = 3
/** Longest list of causes of a call. */
const RECORDS_MAX = 50

export const noCause: CauseState = { cause: 'good', found: 'good', readings: 0, reason: 'good' }

/** Pure. Returns the cause of the signal that is shown; `heard` is what the peer says of itself. */
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
      // A full queue also loses packets, and a narrow network has no room: then slowness is the cause.
      if (hasQueue) return 'slow-network'
      if (loss.out > LOSS_FAIR) return 'lossy-network'
      const isTight = (last?.availableKbps ?? Number.POSITIVE_INFINITY) < TIGHT_KBPS
      if (isTight) return 'slow-network'
      if (shortestMs > LONG_WAY_MS) return 'long-way'
      // A busy device also sends less, which the first readings take for a weak network.
      return device.level > 0 ? 'slow-device' : 'slow-network'
    }
  }
}

function peerCause(heard: PeerStatus | null): 'peer-device' | 'peer-network' | null {
  if (!heard) return null
  if (heard.weak === 'device') return 'peer-device'
  return heard.weak === 'network' || heard.noPicture === 'network' || heard.stills ? 'peer-network' : null
}

/** Returns what the peer is told of this side; undefined while nothing is weak. */
export function weakness(cause: CallCause): PeerStatus['weak'] {
  if (cause === 'slow-device') return 'device'
  return cause === 'good' || cause.startsWith('peer-') ? undefined : 'network'
}

/** Pure. Follows a changed signal at once, and another cause of the same signal after a few readings. */
export function stepCause(state: CauseState, known: Known, heard: PeerStatus | null): CauseState {
  const found = causeOf(known, heard)
  const { reason } = known.signal
  const readings = found === state.found ? state.readings + 1 : 1
  const isNew = reason !== state.reason || readings >= STEADY_READINGS
  return { cause: isNew ? found : state.cause, found, readings, reason }
}

/** Adds the cause of this reading if it differs from the last one in the list. Drops the oldest. */
export function withCause(records: readonly CauseRecord[], cause: CallCause, known: Known): readonly CauseRecord[] {
  if (!known.last || (records.at(-1)?.cause ?? 'good') === cause) return records
  const { at, isRelayed } = known.last
  return [...records, { at, cause, bars: known.signal.bars, isRelayed }].slice(-RECORDS_MAX)
}
