import type { CallSample } from './call-reading.ts'

/**
 * State of the decision when to ask for the full size of the picture in a browser without a bandwidth estimate, such as
 * Firefox. Such a browser begins with a small picture and needs twenty seconds and more to reach the full size.
 */
export type SmallPicture = {
  /** Readings with a picture below its size limit since the full size was last requested. */
  small: number
  /** Number of readings in a row with the full size. */
  full: number
  /** Number of requests for the full size: `asked` in the call, `inVain` since the full size last lasted. */
  asked: number
  inVain: number
}

export const noSmallPicture: SmallPicture = { small: 0, full: 0, asked: 0, inVain: 0 }

/** Readings before the first request. The wait doubles with each request, since network or device may carry no more. */
const WAIT = 2
const IN_VAIN_MAX = 5
/** Number of readings in a row with the full size after which it has lasted. */
const STAYED = 10
/** Share of the wanted size from which on it counts as full, since browsers round sizes. */
const FULL = 0.9

/** Pure. `isCalm`: network and device show no trouble. */
export function stepSmallPicture(
  before: SmallPicture,
  { availableKbps, sentSide, capturedSide }: CallSample,
  scaleDownBy: number,
  isCalm: boolean,
): SmallPicture {
  if (availableKbps !== null || sentSide === 0 || !isCalm) return before
  if (sentSide * scaleDownBy >= capturedSide * FULL) {
    const full = before.full + 1
    return { ...before, small: 0, full, inVain: full < STAYED ? before.inVain : 0 }
  }
  if (before.inVain >= IN_VAIN_MAX) return { ...before, full: 0 }
  const small = before.small + 1
  if (small < WAIT * 2 ** before.inVain) return { ...before, small, full: 0 }
  return { small: 0, full: 0, asked: before.asked + 1, inVain: before.inVain + 1 }
}
