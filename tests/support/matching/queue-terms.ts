import type { Pair } from '../../../server/matching/rules/match-queue.ts'

export const RELAX = 10_000
export const SPILL = 3_000
export const KEEP = 45_000

/** The options of the queues under test. */
export const queueTimes = { relaxAfterMs: RELAX, spillAfterMs: SPILL, keepMs: KEEP }

/** The pairs, by user. */
export function namesOf(pairs: Pair[]): string[][] {
  return pairs.map(({ caller, callee }) => [caller.user, callee.user].sort())
}
