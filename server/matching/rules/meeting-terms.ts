/** Who may meet whom, from when: the one description of it, which the queue in memory and the queue in Redis share. */

/** After how much waiting, in milliseconds, a user meets people with whom they share less. */
export type MeetingTimes = {
  /** From then on: people who share a language but no interest. */
  languageAfterMs: number
  /** From then on: people who share no language. */
  anybodyAfterMs: number
  /** From then on: people of another region. */
  spillAfterMs: number
  /** From then on: people whom they have met before. */
  relaxAfterMs: number
}

/** What two users share, from most to least: a language and an interest, a language, neither. */
export const SHARED = { interest: 0, language: 1, nothing: 2 } as const
export const ranks = [SHARED.interest, SHARED.language, SHARED.nothing] as const
export type Rank = (typeof ranks)[number]

/** Waits that do not apply to a user, since nobody suitable is likely to come, or since they have no wish. Fixed when they join. */
export type Waivers = {
  /** Of another region's people: nobody else joins this region at present. */
  readonly spills: boolean
  /** Of people without a common language: the user has named none, nobody else who speaks one joins at present, or few people join at all. */
  readonly anyLanguage: boolean
  /** Of people without a common interest: the user has named none, or nobody else who shares one joins at present. */
  readonly anyInterest: boolean
}

/**
 * Two users who have not met and have not blocked each other may meet once one of them has waited this long, in milliseconds. A wait
 * does not apply when one of the two has a waiver of it.
 */
export function waitToMeet(rank: Rank, isSameRegion: boolean, waivers: Waivers, times: MeetingTimes): number {
  const region = isSameRegion || waivers.spills ? 0 : times.spillAfterMs
  if (rank === SHARED.interest || waivers.anyLanguage) return region
  if (rank === SHARED.nothing) return Math.max(region, times.anybodyAfterMs, times.languageAfterMs)
  return waivers.anyInterest ? region : Math.max(region, times.languageAfterMs)
}

/**
 * The waivers that matter for people who share a group of this rank, as a number. Users of one group with the same number become
 * eligible for a newcomer in the order of their waiting.
 */
export function waiverCode(rank: Rank, { spills, anyLanguage, anyInterest }: Waivers): number {
  const wish = rank === SHARED.nothing ? anyLanguage : rank === SHARED.language && (anyLanguage || anyInterest)
  return (spills ? 1 : 0) + (wish ? 2 : 0)
}

/** What `waiverCode` gives, for two users of whom the first has the waivers and the second is listed under the code. */
export function withCode(rank: Rank, own: Waivers, code: number): Waivers {
  const wish = code >= 2
  return {
    spills: own.spills || code % 2 === 1,
    anyLanguage: own.anyLanguage || (wish && rank === SHARED.nothing),
    anyInterest: own.anyInterest || (wish && rank === SHARED.language),
  }
}

export const WAIVER_CODES = [0, 1, 2, 3] as const

/** The groups of people with the same language and interest, the same language, and all people, by rank. */
export function groupsOf(languages: readonly string[], interests: readonly string[], rank: Rank): string[] {
  if (rank === SHARED.nothing) return ['']
  if (rank === SHARED.language) return [...languages]
  return languages.flatMap((language) => interests.map((interest) => `${language} ${interest}`))
}
