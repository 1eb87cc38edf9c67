import type { Pair } from '../../../server/matching/rules/match-queue.ts'

export const RELAX = 10_000
export const SPILL = 3_000
export const KEEP = 45_000

/** The times of a queue that is tried. */
export const queueTimes = { relaxAfterMs: RELAX, spillAfterMs: SPILL, keepMs: KEEP }

/** Who was paired with whom. */
export function namesOf(pairs: Pair[]): string[][] {
  return pairs.map(({ caller, callee }) => [caller.user, callee.user].sort())
}
