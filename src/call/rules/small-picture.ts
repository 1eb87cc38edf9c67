import type { CallSample } from './call-reading.ts'

/**
 * When to ask for the full size of the picture in a browser that reports no estimate of the network, such as Firefox: it begins a
 * call with a small picture, and takes twenty seconds and more to the full size on a network that carries it.
 */
export type SmallPicture = {
  /** Readings of a picture that is smaller than its limits, since it was asked for the full size. */
  small: number
  /** Readings in a row of the full size. */
  full: number
  /** How often the full size was asked for, in the call and since it last stayed. */
  asked: number
  inVain: number
}

export const noSmallPicture: SmallPicture = { small: 0, full: 0, asked: 0, inVain: 0 }

/** Readings before the first request. Each further one waits twice as long: the network or the device may carry no more. */
const WAIT = 2
const IN_VAIN_MAX = 5
/** Readings after which the full size has stayed. */
const STAYED = 10
/** Share of the wanted size that counts as full: browsers round it. */
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
