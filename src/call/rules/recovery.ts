/**
 * When to ask the browser to measure the network anew. After a network that was slow for a while is fast again, congestion control
 * raises its estimate by 8 % a second and needs half a minute for what a measurement shows in one.
 */
export type Recovery = {
  /** The highest estimate so far in kbit/s, until it is given up. */
  best: number
  /** Number of measurements asked for, in the call and since the estimate fell. */
  asked: number
  inVain: number
  /** Readings since the last one. */
  since: number
  /** How often a measurement found that the network is fast again. */
  found: number
  /** The last two estimates. */
  recent: readonly [number, number]
}

export const noRecovery: Recovery = { best: 0, asked: 0, inVain: 0, since: 0, found: 0, recent: [0, 0] }

/** Below this share of the best estimate the network may carry more than estimated. */
const FALLEN = 0.5
/** Estimate of a network that counts as fast; COLLAPSED is the share of it that is left after a collapse. */
const FAST_KBPS = 1_000
const COLLAPSED = 0.2
/** Readings between two measurements. A measurement sends 5 kB at once. */
const WAIT = 6
const IN_VAIN_MAX = 10

/** Pure. `isCalm`: the network shows no queue and no loss. */
export function stepRecovery(before: Recovery, availableKbps: number | null, isCalm: boolean): Recovery {
  const available = availableKbps ?? 0
  const state: Recovery = {
    ...before,
    best: Math.max(before.best, available),
    since: before.since + 1,
    recent: [before.recent[1], available],
  }
  if (available >= state.best * FALLEN) return { ...state, inVain: 0, found: state.found + Math.sign(state.inVain) }
  if (!isCalm || state.since < WAIT) return state
  // After so many attempts it counts as another network.
  if (state.inVain >= IN_VAIN_MAX) return { ...state, best: available, inVain: 0 }
  return { ...state, asked: state.asked + 1, inVain: state.inVain + 1, since: 0 }
}

/** For readings in which a ceiling of this side holds the estimate down. */
export function pauseRecovery(before: Recovery): Recovery {
  return { ...before, recent: [0, 0] }
}

/**
 * Returns whether a fast network has suddenly become slow: what is on its way fills its queue, and the next large frame
 * would be lost.
 */
export function hasCollapsed({ recent }: Recovery, availableKbps: number | null): boolean {
  const highest = Math.max(...recent)
  return highest > FAST_KBPS && (availableKbps ?? highest) < highest * COLLAPSED
}
