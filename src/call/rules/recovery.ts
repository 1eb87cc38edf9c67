/**
 * State of the decision when to ask the browser to measure the network anew. After a slow network is fast again,
 * congestion control raises its estimate by 8 % a second and needs half a minute. A measurement takes one second.
 */
export type Recovery = {
  /** The highest estimate in kbit/s so far. It is replaced after IN_VAIN_MAX measurements in vain. */
  best: number
  /** Number of requested measurements: `asked` in the call, `inVain` since the estimate fell. */
  asked: number
  inVain: number
  /** Readings since the last requested measurement. */
  since: number
  /** Number of times that the network was found fast again after a measurement. */
  found: number
  /** The last two estimates. */
  recent: readonly [number, number]
}

export const noRecovery: Recovery = { best: 0, asked: 0, inVain: 0, since: 0, found: 0, recent: [0, 0] }

/** Share of the best estimate below which the network may carry more than the estimate says. */
const FALLEN = 0.5
/** FAST_KBPS: estimate above which a network counts as fast. COLLAPSED: share of it below which the network has collapsed. */
const FAST_KBPS = 1_000
const COLLAPSED = 0.2
/** Readings between two measurements. A measurement sends 5 kB at once. */
const WAIT = 6
const IN_VAIN_MAX = 10

/** Pure. `isCalm`: the network has neither a queue nor loss. */
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
  // After IN_VAIN_MAX measurements the network counts as another, slower one.
  if (state.inVain >= IN_VAIN_MAX) return { ...state, best: available, inVain: 0 }
  return { ...state, asked: state.asked + 1, inVain: state.inVain + 1, since: 0 }
}

/** Call it instead of `stepRecovery` for readings in which a ceiling of this side limits the estimate. */
export function pauseRecovery(before: Recovery): Recovery {
  return { ...before, recent: [0, 0] }
}

/** Returns whether a fast network has suddenly become slow: its queue fills, and the next large frame would be lost. */
export function hasCollapsed({ recent }: Recovery, availableKbps: number | null): boolean {
  const highest = Math.max(...recent)
  return highest > FAST_KBPS && (availableKbps ?? highest) < highest * COLLAPSED
}
