import type { Preferences } from '#protocol/preferences.ts'

export interface PreferenceRecords {
  find(accountId: string): Promise<Preferences>
  /** Replaces both lists. Resolves with false, and keeps nothing, if there is no profile. */
  replace(accountId: string, preferences: Preferences): Promise<boolean>
  /** Resolves with at most `max` interests of `fromUsers` people or more who may chat, the most used first. */
  commonInterests(fromUsers: number, max: number): Promise<string[]>
}
