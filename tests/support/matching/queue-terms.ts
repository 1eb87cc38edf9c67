import type { Pair } from '../../../server/matching/rules/match-queue.ts'

export const RELAX = 10_000
export const SPILL = 3_000
export const LANGUAGE = 2_000
export const ANYBODY = 8_000
export const APART = 20_000
export const KEEP = 45_000

/** The options of the queues under test. */
export const queueTimes = {
  languageAfterMs: LANGUAGE,
  anybodyAfterMs: ANYBODY,
  relaxAfterMs: RELAX,
  spillAfterMs: SPILL,
  apartAfterMs: APART,
  keepMs: KEEP,
  languageCrowd: 0,
}

/** A newcomer who has named neither languages nor interests, and does not wait apart. */
export const noWishes = { languages: [], interests: [], apart: false }
/** What the entry of such a newcomer has. */
export const noWishesOfEntry = { ...noWishes, anyLanguage: true, anyInterest: true }

/** The pairs, by user. */
export function namesOf(pairs: Pair[]): string[][] {
  return pairs.map(({ caller, callee }) => [caller.user, callee.user].sort())
}
