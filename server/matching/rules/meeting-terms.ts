/** Rules of which users may meet, and after which wait. The queue in Redis has the same rules in Lua. */

/** Waits, in milliseconds, after which a user may also meet less suitable people. */
export type MeetingTimes = {
  /** From then on: people who share a language but no interest. */
  languageAfterMs: number
  /** From then on: people who share no language. */
  anybodyAfterMs: number
  /** From then on: people of another region. */
  spillAfterMs: number
  /** From then on, for a user who does not wait apart: people who wait apart. */
  apartAfterMs: number
  /** From then on: earlier partners. */
  relaxAfterMs: number
}

/** What two users share, from most to least: a language and an interest, a language, neither. */
export const SHARED = { interest: 0, language: 1, nothing: 2 } as const
export const ranks = [SHARED.interest, SHARED.language, SHARED.nothing] as const
export type Rank = (typeof ranks)[number]

/** Waits that do not apply to a user, since nobody suitable is likely to come or since the user has named nothing. Fixed by the join. */
export type Waivers = {
  /** The wait for the own region: nobody else joins it at present. */
  readonly spills: boolean
  /** The wait for a common language: the user has named none, nobody else who speaks one joins at present, or few people join at all. */
  readonly anyLanguage: boolean
  /** The wait for a common interest: the user has named none, or nobody else who shares one joins at present. */
  readonly anyInterest: boolean
}

/** Returns the waivers that matter at this rank, from 0 to 3. Entries with the same code become eligible in the order of waiting. */
export function waiverCode(rank: Rank, { spills, anyLanguage, anyInterest }: Waivers): number {
  const wish = rank === SHARED.nothing ? anyLanguage : rank === SHARED.language && (anyLanguage || anyInterest)
  return (spills ? 1 : 0) + (wish ? 2 : 0)
}

/**
 * Returns how long, in milliseconds, a user must have waited before two users may meet who have not met and have not blocked each other. It
 * is enough that one of the two has waited. `own` are the waivers of one user, `code` is the waiver code of the other; the waiver of either
 * user is enough.
 */
export function waitToMeet(rank: Rank, isSameRegion: boolean, own: Waivers, code: number, times: MeetingTimes): number {
  const region = isSameRegion || own.spills || code % 2 === 1 ? 0 : times.spillAfterMs
  if (rank === SHARED.interest || own.anyLanguage || code >= 2) return region
  if (rank === SHARED.nothing) return Math.max(region, times.anybodyAfterMs, times.languageAfterMs)
  return own.anyInterest ? region : Math.max(region, times.languageAfterMs)
}

/** One key for each combination of a language and an interest. */
export function sharedInterestKeys(languages: readonly string[], interests: readonly string[]): string[] {
  return languages.flatMap((language) => interests.map((interest) => `${language} ${interest}`))
}
