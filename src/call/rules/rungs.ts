/** A position on a ladder of steps that are taken down after trouble and up again after calm readings. 0 is the top. */
export type Rungs = {
  level: number
  /** Bad and good readings in a row. */
  bad: number
  good: number
  /** Good readings in a row that a step up needs; more after a step up that had to be undone. */
  goodNeeded: number
  /** Readings since the last step up; null when it has been kept or undone. */
  trial: number | null
  /** Readings since each step of the last minute. */
  steps: readonly number[]
}

/**
 * `urgent` is a step down at once, `worse` two steps down. `free` counts as several good readings and is two steps up. `unknown` leaves
 * everything as it is.
 */
export type Verdict = 'urgent' | 'worse' | 'bad' | 'unknown' | 'fair' | 'good' | 'free'

const BAD_IN_A_ROW = 2
const FREE_WEIGHT = 4
/** Most steps in a minute; a further one waits. Of 20,000 steady links one takes that many. */
const STEPS_MAX = 4
/** Steps within a minute that leave room for a step up and the one that undoes it: steady conditions cause at most four. */
const STEPS_BEFORE_UP = 2
const MINUTE = 60
const GOOD_NEEDED = 20
const GOOD_NEEDED_MAX = 160
/** Readings within which a step down counts as undoing the step up. */
const TRIAL = 60

export const topRung: Rungs = { level: 0, bad: 0, good: 0, goodNeeded: GOOD_NEEDED, trial: null, steps: [] }

/** Pure. One reading: a step down after two bad ones in a row, a step up after `goodNeeded` good ones. */
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

/** After a step up that had to be undone, an estimate that looks free is not trusted. */
function weightOf(verdict: 'good' | 'free', { goodNeeded }: Rungs): number {
  return verdict === 'free' && goodNeeded === GOOD_NEEDED ? FREE_WEIGHT : 1
}

/** Ends the trial of a step up that has lasted, and shortens the wait for the next one. */
function kept(state: Rungs): Rungs {
  if (state.trial === null) return state
  return state.trial < TRIAL ? { ...state, trial: state.trial + 1 } : { ...state, trial: null, goodNeeded: GOOD_NEEDED }
}
