import type { CallSample, PageLoad } from './governor.ts'

/** What two samples, one after the other, say of the time between them. Shares are from 0 to 1. */
export type Reading = {
  /** Share of our packets that the peer missed, of the peer's that we missed. */
  outLoss: number
  inLoss: number
  roundTripMs: number
  /** Share of the time that the page's thread was in long tasks, that the slower of encoder and decoder took. */
  busy: number
  coding: number
  /** Share of the peer's frames that came and were not shown. */
  dropped: number
  /** Room on the way out by the browser's estimate; null where it has none, or where less is sent than there is room for. */
  roomKbps: number | null
  limitedBy: CallSample['limitedBy']
}

/** An estimate grows with what is sent: far below it, it tells nothing of how much more there is. */
const PRESSED = 0.6
/** Fewer frames than this in a reading are too few to judge by. */
const FRAMES_MIN = 5

const SECOND_MS = 1_000
const BITS = 8

type Counter =
  | 'bytesSent'
  | 'packetsLost'
  | 'packetsReceived'
  | 'framesDropped'
  | 'framesDecoded'
  | 'decodeSeconds'
  | 'encodeSeconds'

export function readBetween(before: CallSample, now: CallSample, page: PageLoad): Reading {
  const elapsedMs = Math.max(1, now.at - before.at)
  const grown = (name: Counter) => Math.max(0, now[name] - before[name])
  const sentKbps = (grown('bytesSent') * BITS) / elapsedMs
  const isPressed = now.limitedBy === 'bandwidth' || sentKbps > (now.availableKbps ?? 0) * PRESSED
  const frames = grown('framesDropped') + grown('framesDecoded')
  return {
    outLoss: now.remoteLoss ?? 0,
    inLoss: share(grown('packetsLost'), grown('packetsLost') + grown('packetsReceived')),
    roundTripMs: now.roundTripMs ?? 0,
    busy: page.longTaskMs / elapsedMs,
    coding: (Math.max(grown('decodeSeconds'), grown('encodeSeconds')) * SECOND_MS) / elapsedMs,
    dropped: frames < FRAMES_MIN ? 0 : share(grown('framesDropped'), frames),
    roomKbps: isPressed ? now.availableKbps : null,
    limitedBy: now.limitedBy,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
