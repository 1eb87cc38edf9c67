/** A position on a ladder of steps: down after trouble, up after calm readings. Level 0 is the top. */
export type Rungs = {
  level: number
  /** Number of bad, and of good, readings in a row. */
  bad: number
  good: number
  /** Good readings in a row that a step up needs. It doubles after a step up that had to be undone. */
  goodNeeded: number
  /** Readings since the last step up; null when that step has lasted or was undone. */
  trial: number | null
  /** For each step of the last minute, the readings since then. */
  steps: readonly number[]
}

/**
 * `urgent`: a step down at once. `worse`: two steps down. `free`: counts as FREE_WEIGHT good readings and leads two
 * steps up. `unknown`: changes nothing.
 */
export type Verdict = 'urgent' | 'worse' | 'bad' | 'unknown' | 'fair' | 'good' | 'free'

const BAD_IN_A_ROW = 2
const FREE_WEIGHT = 4
/** Most steps in a minute; a further step waits. Of 20,000 steady links one makes as many. */
const STEPS_MAX = 4
/** Most steps in the last minute with which a step up is allowed: one more step may undo it. */
const STEPS_BEFORE_UP = 2
const MINUTE = 60
const GOOD_NEEDED = 20
const GOOD_NEEDED_MAX = 160
/** Readings after a step up within which a step down counts as undoing it. */
const TRIAL = 60

export const topRung: Rungs = { level: 0, bad: 0, good: 0, goodNeeded: GOOD_NEEDED, trial: null, steps: [] }

/** Pure. One reading: a step down after BAD_IN_A_ROW bad readings, a step up after `goodNeeded` good ones. */
export function stepRungs(before: Rungs, verdict: Verdict, lowest: number): Rungs {
  if (verdict === 'unknown') return before
  const state: Rungs = {
    ...kept(before),
    steps: before.steps.map((readings) => readings + 1).filter((readings) => readings < MINUTE),
    bad: verdict === 'urgent' ? BAD_IN_A_ROW : verdict === 'bad' || verdict === 'worse' ? before.bad + 1 : 0,
    good: verdict === 'good' || verdict === 'free' ? before.good + weightOf(verdict, before) : 0,
  }
  const { level, bad, good, goodNeeded, trial } = state
  if (bad >= BAD_IN_A_ROW && level < lowest && state.steps.length < STEPS_MAX) {
    const longer = trial === null ? goodNeeded : Math.min(GOOD_NEEDED_MAX, goodNeeded * 2)
    const lower = Math.min(lowest, level + (verdict === 'worse' ? 2 : 1))
    return { ...state, level: lower, bad: 0, goodNeeded: longer, trial: null, steps: [...state.steps, 0] }
  }
  if (good >= goodNeeded && level > 0 && state.steps.length <= STEPS_BEFORE_UP) {
    const higher = Math.max(0, level - (verdict === 'free' ? 2 : 1))
    return { ...state, level: higher, good: 0, trial: 0, steps: [...state.steps, 0] }
  }
  return state
}

/** How many good readings the verdict counts for. After a step up that had to be undone, `free` counts as one. */
function weightOf(verdict: 'good' | 'free', { goodNeeded }: Rungs): number {
  return verdict === 'free' && goodNeeded === GOOD_NEEDED ? FREE_WEIGHT : 1
}

/** Ends the trial of a step up that has lasted, and sets `goodNeeded` to its shortest again. */
function kept(state: Rungs): Rungs {
  if (state.trial === null) return state
  return state.trial < TRIAL ? { ...state, trial: state.trial + 1 } : { ...state, trial: null, goodNeeded: GOOD_NEEDED }
}
