/**
 * How long a test may run, in ms, before it counts as hanging: more than ten times what the longest takes alone. A test ends by state,
 * never by this.
 */
export const HANGING_MS = 600_000

/** How long a test waits for one state, in ms: less than the whole test may take, so that the state that never came is named. */
export const WAIT_MS = 240_000
