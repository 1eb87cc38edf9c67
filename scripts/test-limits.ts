/** How much the tests do and how long they may take, in one place. */

/** `TEST_SIZE=long` makes the same tests larger (`npm run test:long`). */
const isLong = process.env.TEST_SIZE === 'long'

/**
 * The number of inputs, users, steps or kills of a test. `small` finds the faults that the test was written for. `long`
 * is for a change of what the test covers, and for a release.
 */
export const sized = (small: number, long: number): number => (isLong ? long : small)

/** The cases of a test. `small` has at least one case of each kind; `long` repeats the kinds with other pages, languages and widths. */
export const sizedList = <T>(small: readonly T[], long: readonly T[]): readonly T[] => (isLong ? long : small)

/**
 * Time limit of a test: more than ten times what the longest test takes alone. A test ends when a state is reached;
 * only a test that hangs reaches this limit.
 */
export const HANGING_MS = sized(600_000, 3_600_000)

/** How long a test waits for one state, in ms: less than the whole test may take, so that the error names the state that never came. */
export const WAIT_MS = sized(240_000, 900_000)
