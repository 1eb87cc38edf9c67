import type { Preferences } from '#protocol/preferences.ts'

export type CommonTerms = {
  /** Different networks, /24 of IPv4 and /48 of IPv6, from which people with the interest signed in last. */
  networks: number
  max: number
  /** People are settled whose account is older, and who had calls of `lastedMs` or more with this many people that both sides confirmed. */
  createdBefore: number
  calls: number
  lastedMs: number
}

export interface PreferenceRecords {
  find(accountId: string): Promise<Preferences>
  /** Replaces both lists. Resolves with false, and keeps nothing, if there is no profile. */
  replace(accountId: string, preferences: Preferences): Promise<boolean>
  /** Resolves with interests of settled people who may chat, the most used first. */
  commonInterests(terms: CommonTerms): Promise<string[]>
}
