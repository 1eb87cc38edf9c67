import type { Preferences } from '#protocol/preferences.ts'

export type CommonTerms = {
  /** Least number of networks (/24 of IPv4, /48 of IPv6) from which people with the interest signed in last. */
  networks: number
  max: number
  /**
   * People are settled if their account was created before this time, and if they had this many confirmed calls of
   * `lastedMs` with different people.
   */
  createdBefore: number
  calls: number
  lastedMs: number
}

export interface PreferenceRecords {
  find(accountId: string): Promise<Preferences>
  /** Replaces languages and interests. Resolves with false, and keeps nothing, if there is no profile. */
  replace(accountId: string, preferences: Preferences): Promise<boolean>
  /** Resolves with interests of settled people who may chat, the most used first. */
  commonInterests(terms: CommonTerms): Promise<string[]>
}
