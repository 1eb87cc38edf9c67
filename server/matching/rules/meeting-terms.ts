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

/**
 * Waits that do not apply to a user, because nobody suitable is likely to come or the user has named nothing. The join
 * sets the waivers; they do not change later.
 */
export type Waivers = {
  /** No wait for people of the own region: nobody else joins in this region at present. */
  readonly spills: boolean
  /**
   * No wait for a common language: the user has named no language, nobody else who speaks one of them joins at present,
   * or few people join at all.
   */
  readonly anyLanguage: boolean
  /** No wait for a common interest: the user has named no interest, or nobody else who shares one joins at present. */
  readonly anyInterest: boolean
}

/** Returns the waivers that matter at this rank, from 0 to 3. Entries with the same code become eligible in the order of waiting. */
export function waiverCode(rank: Rank, { spills, anyLanguage, anyInterest }: Waivers): number {
  const wish = rank === SHARED.nothing ? anyLanguage : rank === SHARED.language && (anyLanguage || anyInterest)
  return (spills ? 1 : 0) + (wish ? 2 : 0)
}

/**
 * Returns how long, in milliseconds, one of two users must have waited before they may meet, if they have not met and have not blocked each
 * other. `own` are the waivers of one user, `code` is the waiver code of the other user; a waiver of one of them is enough.
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
